// Compares docs/FLAGS.md with the app's tables of flags, or updates it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { checkout } from "./workspace.ts";

const begin = "<!-- flags:begin -->";
const end = "<!-- flags:end -->";

/** Returns one sentence for each problem. Needs the built app. */
export async function findFlagsTableProblems(root: string): Promise<readonly string[]> {
  const table = await tableOf(root);
  if (table === undefined)
    return [`${flagsFile("src", "ts")}: is missing, was not built, or exports no renderFlagsPage`];
  const path = join(root, "docs/FLAGS.md");
  const page = existsSync(path) ? readFileSync(path, "utf8") : "";
  const wanted = replaceTable(page, table);
  if (wanted === undefined) return [`docs/FLAGS.md: lacks the marks for the table of flags, ${begin} and ${end}`];
  return wanted === page ? [] : ['docs/FLAGS.md: differs from the app\'s flags; "npm run format" updates it'];
}

/** Writes the table into docs/FLAGS.md. Needs the built app. Throws if the app prints no table, or if docs/FLAGS.md has no marks. */
export async function writeFlagsTable(root: string): Promise<void> {
  const table = await tableOf(root);
  if (table === undefined) throw new Error(`${flagsFile("dist", "js")}: is missing, or exports no renderFlagsPage`);
  const path = join(root, "docs/FLAGS.md");
  const page = readFileSync(path, "utf8");
  const wanted = replaceTable(page, table);
  if (wanted === undefined)
    throw new Error(`docs/FLAGS.md lacks the marks for the table of flags, ${begin} and ${end}`);
  if (wanted !== page) writeFileSync(path, wanted);
}

function flagsFile(folder: "src" | "dist", ending: "ts" | "js"): string {
  return `apps/robots-stream/${folder}/commands/flags-page.${ending}`;
}

/** The table that the built app renders; undefined if the app is not built or exports no `renderFlagsPage`. */
async function tableOf(root: string): Promise<string | undefined> {
  const path = join(root, flagsFile("dist", "js"));
  if (!existsSync(path)) return undefined;
  const module = (await import(pathToFileURL(path).href)) as { renderFlagsPage?: () => Promise<string> };
  return module.renderFlagsPage?.();
}

/** The text with the part between the two marks replaced by the table; undefined if the text has no such marks. */
export function replaceTable(page: string, table: string): string | undefined {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) return undefined;
  return `${page.slice(0, from + begin.length)}\n\n${table.trim()}\n\n${page.slice(to)}`;
}

if (process.argv[1] === import.meta.filename && process.argv.includes("--write")) await writeFlagsTable(checkout);
