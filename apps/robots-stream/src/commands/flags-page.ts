// Renders the tables of flags of all commands as Markdown, for the generated part of docs/FLAGS.md.
import type { Flag } from "../cli/flag.ts";
import { describedCommands } from "../cli/command.ts";
import { renderMarkdownTable } from "../cli/help-text.ts";
import { flags } from "./decide/flags.ts";
import { commands } from "./list.ts";

/**
 * Renders the table of flags of the command without a name, then a section for each other command. A section has a table of flags, and the
 * names of the flags whose descriptions are already in the first table.
 */
export async function renderFlagsPage(): Promise<string> {
  const first: readonly Flag[] = flags;
  const known = new Map(first.map((flag) => [flag.name, flag.about]));
  const sections = (await describedCommands(commands)).map(({ name, args, about, flags: own }) => {
    const differing = own.filter((flag) => flag.name !== "help" && known.get(flag.name) !== flag.about);
    const same = own.filter((flag) => flag.name === "help" || known.get(flag.name) === flag.about);
    const named = same.map((flag) => `\`--${flag.name}\``).join(", ");
    const table = differing.length === 0 ? [] : [renderMarkdownTable(differing)];
    const usage = `robots-stream ${name} ${args}`.trim();
    return [`## ${name}`, `\`${usage}\`: ${about}.`, ...table, `As above: ${named}.`].join("\n\n");
  });
  return [renderMarkdownTable(first), ...sections].join("\n\n");
}
