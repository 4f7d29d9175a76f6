// Finds blocks of commands in the project's Markdown pages that no test runs and that are not marked as not run.
//
// apps/robots-stream/test/documents.test.ts runs each `console` block without such a comment and compares its output. Any other block of
// commands needs a comment before it, `<!-- run by PATH -->` or `<!-- not run: REASON -->`, or a first line `# not run: REASON`.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pagesOf } from "./links.ts";
import type { CodeBlock } from "./markdown.ts";

/** Pages about the project's history, whose commands are not checked. */
const unread = /^(?:\.changeset\/|docs\/decisions\/)|(?:^|\/)CHANGELOG\.md$/u;
const shells: ReadonlySet<string> = new Set([
  "console",
  "sh",
  "bash",
  "shell",
  "shell-session",
  "zsh",
  "powershell",
  "crontab",
]);
/** Languages whose blocks are commands of other programs: queries and scripts that a reader copies. */
const queries: ReadonlySet<string> = new Set(["sql", "python", "jq"]);
const commandLine =
  /^(?:\$ )?(?:\.\/robots-stream|robots-stream|npm|npx|pnpm|node|git|curl|jq|seq|pip|docker)(?: |$)/mu;

/** How a block is tested, or why it is a problem; undefined for a block that has no commands. */
export function fateOf(block: CodeBlock): "compared" | "indented" | "unmarked" | Mark | undefined {
  const { language, body, comment } = block;
  const isCommand = shells.has(language) || queries.has(language) || (language === "" && commandLine.test(body));
  if (!isCommand) return undefined;
  const mark = markOf(comment) ?? markOf(/^# (not run: .*)/u.exec(body)?.[1] ?? "");
  if (mark !== undefined) return mark;
  if (language === "console") return "compared";
  return language === "" ? "indented" : "unmarked";
}

interface Mark {
  readonly what: "run by" | "not run";
  readonly value: string;
}

function markOf(comment: string): Mark | undefined {
  const [, what, value = ""] = /^(run by|not run): ?(.*)$/u.exec(comment.replace(/^run by /u, "run by: ")) ?? [];
  return what === undefined ? undefined : { what: what as Mark["what"], value };
}

/** One sentence for each problem. */
export function findCommandProblems(root: string): readonly string[] {
  return [...pagesOf(root)]
    .filter(([file]) => !unread.test(file))
    .flatMap(([file, { blocks }]) =>
      blocks.flatMap((block) => {
        const problem = problemOf(root, file, block);
        return problem === undefined ? [] : [`${file}:${block.line}: ${problem}`];
      }),
    );
}

function problemOf(root: string, file: string, block: CodeBlock): string | undefined {
  const fate = fateOf(block);
  if (fate === undefined || fate === "compared") return undefined;
  if (fate === "indented") return "commands in an indented block: give them a fence and a language";
  if (fate === "unmarked")
    return "has no comment that names the test for these commands, or the reason why no test runs them";
  if (fate.what === "not run") return fate.value === "" ? "does not say why no test runs it" : undefined;
  const test = join(root, fate.value);
  if (!existsSync(test)) return `${fate.value} does not exist`;
  const text = readFileSync(test, "utf8");
  const isRead = text.includes(file) || (fate.value.startsWith(dirname(file)) && text.includes(basename(file)));
  return isRead ? undefined : `${fate.value} does not read ${file}`;
}
