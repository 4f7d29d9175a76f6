// Makes the temporary folders of a test file or of one test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

const make = (): string => mkdtempSync(join(tmpdir(), "robots-stream-"));
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Makes an empty folder, which is removed after the tests of the file or the block that calls this function. */
export function makeFolder(): string {
  const folder = make();
  afterAll(() => remove(folder));
  return folder;
}

/** Makes an empty folder, which is removed after the test that calls this function. */
export function makeTestFolder(): string {
  const folder = make();
  onTestFinished(() => remove(folder));
  return folder;
}
