// Makes a completion script for fish from the commands and their flags.
import type { DescribedCommand } from "../../cli/command.ts";
import type { Flag } from "../../cli/flag.ts";
import { shortAboutOf } from "../../cli/help-text.ts";

export function fishScriptOf(described: readonly DescribedCommand[]): string {
  const named = described.filter(({ name }) => name !== "");
  const names = named.map(({ name }) => name);
  return `# fish completion for robots-stream, made by: robots-stream completion fish
function __robots_stream_command
    set -l words (commandline -opc)
    if contains -- "$words[2]" ${names.join(" ")} help
        test "$words[2]" = "$argv[1]"
    else
        test -z "$argv[1]"
    end
end
function __robots_stream_first
    test (count (commandline -opc)) -eq $argv[1]
end
function __robots_stream_list
    set -l before (string match -r '.*,' -- (commandline -ct | string replace -r '^--[^=]*=' ''))
    for word in $argv
        echo "$before$word"
    end
end
complete -c robots-stream -e
${named.map(({ name, about }) => `complete -c robots-stream -n '__robots_stream_first 1' -a ${name} -d ${quoted(about)}`).join("\n")}
complete -c robots-stream -n '__robots_stream_first 1' -a help -d 'the help of a command'
complete -c robots-stream -n '__robots_stream_command help' -f
complete -c robots-stream -n '__robots_stream_command help; and __robots_stream_first 2' -a '${names.join(" ")}'
${described.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ name, flags, actions, takesFiles }: DescribedCommand): string[] {
  const condition = `__robots_stream_command '${name}'`;
  return [
    ...(takesFiles ? [] : [`complete -c robots-stream -n ${quoted(condition)} -f`]),
    ...(actions.length === 0
      ? []
      : [
          `complete -c robots-stream -n ${quoted(`${condition}; and __robots_stream_first 2`)} -a '${actions.join(" ")}'`,
        ]),
    ...flags.map((flag) => flagLineOf(condition, flag)),
  ];
}

function flagLineOf(condition: string, flag: Flag): string {
  const { name, short, value, takes, file, choices, isList } = flag;
  const words = choices?.join(" ");
  const parts = [`complete -c robots-stream -n ${quoted(condition)} -l ${name}`];
  if (short !== undefined) parts.push(`-s ${short}`);
  // A flag with `takes` has an optional value, so -x and -r, which require a value, are omitted.
  if (value !== undefined && takes === undefined) parts.push(file === undefined ? "-x" : "-r -F");
  if (words !== undefined) parts.push(`-a ${quoted(isList === true ? `(__robots_stream_list ${words})` : words)}`);
  parts.push(`-d ${quoted(shortAboutOf(flag))}`);
  return parts.join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
