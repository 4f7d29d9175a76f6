// Makes the temporary folder of a test file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Makes an empty folder, which is removed after the tests of the file or the block that calls this function. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
