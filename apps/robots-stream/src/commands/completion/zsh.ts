// Makes a completion script for zsh from the commands and their flags.
import type { DescribedCommand } from "../../cli/command.ts";
import type { Flag } from "../../cli/flag.ts";
import { shortAboutOf } from "../../cli/help-text.ts";

/** Returns the script. Users put the script into a folder of `fpath`, or source it after compinit. */
export function zshScriptOf(described: readonly DescribedCommand[]): string {
  const main = described.find(({ name }) => name === "")!;
  const named = described.filter(({ name }) => name !== "");
  const list = named.map(({ name, about }) => quoted(`${name}:${about}`)).join(" ");
  return `#compdef robots-stream
# zsh completion for robots-stream, made by: robots-stream completion zsh
_robots-stream() {
  local -a commands
  commands=(${list} 'help:the help of a command')
  local state
  if ((CURRENT > 2)); then
    case $words[2] in
${named.map(namedCaseOf).join("\n")}
      help)
        _describe -t commands command commands
        return ;;
    esac
  fi
  _arguments -s \\
${specsOf(main.flags)} \\
    '*: :->argument' && return
  if [[ $state == argument ]]; then
    ((CURRENT == 2)) && _describe -t commands command commands
    _files
  fi
}
if [[ \${funcstack[1]} == _robots-stream ]]; then _robots-stream "$@"; else compdef _robots-stream robots-stream; fi
`;
}

function namedCaseOf({ name, flags, actions, takesFiles }: DescribedCommand): string {
  const action = actions.length === 0 ? [] : [`'1:action:(${actions.join(" ")})'`];
  const files = takesFiles ? ["'*:file:_files'"] : ["'*: :'"];
  return `      ${name})
        shift words
        ((CURRENT--))
        _arguments -s \\
${[...flags.map(specOf), ...action, ...files].map((spec) => `    ${spec}`).join(" \\\n")}
        return ;;`;
}

function specsOf(flags: readonly Flag[]): string {
  return flags.map((flag) => `    ${specOf(flag)}`).join(" \\\n");
}

/** Returns the argument for the zsh function _arguments that describes a flag. */
function specOf(flag: Flag): string {
  const { name, short, value, takes, file, choices, isList, isRepeatable } = flag;
  const about = `[${shortAboutOf(flag).replaceAll(/[[\]\\:]/g, String.raw`\$&`)}]`;
  const words = choices?.join(" ");
  const action =
    choices === undefined
      ? file === undefined
        ? ""
        : "_files"
      : isList === true
        ? `_values -s , ${value} ${words}`
        : file === undefined
          ? `(${words})`
          : `_alternative "words:word:(${words})" "files:file:_files"`;
  const shownValue = value?.replaceAll(/[:\\]/g, String.raw`\$&`);
  // A flag with `takes` has an optional value. The script completes this value only after a "=".
  const takesValue = value === undefined ? "" : `${takes === undefined ? ":" : "::"}${shownValue}:${action}`;
  const sign = takes === undefined ? (value === undefined ? "" : "=") : "=-";
  const names =
    short === undefined ? [`--${name}${sign}`] : [`-${short}${value === undefined ? "" : "+"}`, `--${name}${sign}`];
  const except = isRepeatable === true ? "*" : short === undefined ? "" : `(-${short} --${name})`;
  const rest = quoted(about + takesValue);
  if (names.length === 1) return quoted(`${except}${names[0]}${about}${takesValue}`);
  return `${except === "" ? "" : quoted(except)}{${names.join(",")}}${rest}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
