// Builds the playground's single file as `npm run playground -- build` does, and makes the URL fragment of a question.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { build } from "vite";
import { checkout } from "../workspace.ts";

/** The bytes of the built page. */
export async function builtPlayground(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "playground-"));
  try {
    return readFileSync(await buildPlayground(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds the page into a folder; resolves to its path. */
export async function buildPlayground(folder: string): Promise<string> {
  await build({
    configFile: join(checkout, "apps/playground/vite.config.ts"),
    logLevel: "silent",
    build: { outDir: folder, emptyOutDir: false },
  });
  return join(folder, "index.html");
}

/** The URL fragment of a link to a question, made without the page's own code. */
export function fragmentOf(question: Readonly<Record<string, string>>): string {
  return `#1.${deflateRawSync(JSON.stringify(question)).toString("base64url")}`;
}
