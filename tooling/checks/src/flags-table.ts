// The app's table of flags in, the copy in docs/FLAGS.md compared or written anew out.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { checkout } from "./workspace.ts";

const begin = "<!-- flags:begin -->";
const end = "<!-- flags:end -->";

/** One sentence for each problem; empty when all is well. The app must be built. */
export async function findFlagsTableProblems(root: string): Promise<readonly string[]> {
  const module = join(root, "apps/robots-stream/dist/commands/decide/flags.js");
  if (!existsSync(module)) return ["apps/robots-stream/src/commands/decide/flags.ts: is missing or was not built"];
  const { renderFlagsTable } = (await import(pathToFileURL(module).href)) as { renderFlagsTable?: () => string };
  if (renderFlagsTable === undefined)
    return ["apps/robots-stream/src/commands/decide/flags.ts: exports no renderFlagsTable"];
  const path = join(root, "docs/FLAGS.md");
  const page = existsSync(path) ? readFileSync(path, "utf8") : "";
  const wanted = replaceTable(page, renderFlagsTable());
  if (wanted === undefined) return [`docs/FLAGS.md: has no place for the flags, between ${begin} and ${end}`];
  return wanted === page ? [] : ['docs/FLAGS.md: its flags are not the app\'s; "npm run format" writes them anew'];
}

/** The text with another table between the two marks; undefined when it has no such marks. */
export function replaceTable(page: string, table: string): string | undefined {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) return undefined;
  return `${page.slice(0, from + begin.length)}\n\n${table.trim()}\n\n${page.slice(to)}`;
}

async function writeTable(root: string): Promise<void> {
  const module = pathToFileURL(join(root, "apps/robots-stream/dist/commands/decide/flags.js")).href;
  const { renderFlagsTable } = (await import(module)) as { renderFlagsTable: () => string };
  const path = join(root, "docs/FLAGS.md");
  const page = readFileSync(path, "utf8");
  const wanted = replaceTable(page, renderFlagsTable());
  if (wanted === undefined) throw new Error(`docs/FLAGS.md has no place for the flags, between ${begin} and ${end}`);
  if (wanted !== page) writeFileSync(path, wanted);
}

if (process.argv[1] === import.meta.filename && process.argv.includes("--write")) await writeTable(checkout);
