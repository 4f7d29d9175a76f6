// Describes the effect of a robots.txt line in a sentence: which crawlers it binds, or why it binds none.
import { type Group, type RobotsTxt } from "@robots-stream/core";
import { type Directive, parseDirectives, recordTypes } from "@robots-stream/core/lint";

/** Returns a description of the effect of the line with the given number, counted from 1; an empty text if there is no such line. */
export type LineNotes = (line: number) => string;

/** Maximum number of crawler names in one sentence. */
const mostNames = 8;

/** Parses a file once, as Google's parser does, and returns a function that describes its lines. */
export function lineNotesOf(text: string, robots: RobotsTxt): LineNotes {
  const directives = parseDirectives(text);
  const groups = new Map<number, Group>();
  for (const group of robots.groups) {
    for (const { line } of [...group.userAgents, ...group.rules, ...group.records]) groups.set(line, group);
  }
  const scopes = new Map(robots.records.map(({ line, name, scope }) => [line, { name, scope }]));
  return (line) => {
    const directive = directives[line - 1];
    if (directive === undefined) return "";
    const group = groups.get(line);
    switch (directive.type) {
      case "user-agent":
        return userAgentNote(line, group);
      case "allow":
      case "disallow":
        return group === undefined
          ? "Binds no crawler: there is no user-agent line above it."
          : `Binds ${boundBy(group)}.${directive.value === "" ? " It is empty, so it disallows nothing." : ""}`;
      case "sitemap":
        return "For every crawler, because a Sitemap line belongs to no group.";
      case "other":
        return otherNote(directive, scopes.get(line)?.name, group);
      case "none":
        return directive.hasComment || directive.key === ""
          ? "Not a directive: it has no effect."
          : "It has no effect.";
    }
  };
}

function userAgentNote(line: number, group: Group | undefined): string {
  const own = group?.userAgents.find((each) => each.line === line);
  if (group === undefined || own === undefined) return "It has no effect.";
  if (own.productToken === "") return "Names no crawler: its value has no product token.";
  const name = own.productToken === "*" ? "every crawler that no group names" : own.productToken;
  const rules = group.rules.map((rule) => rule.line);
  const [first, last] = [rules[0], rules.at(-1)];
  if (first === undefined || last === undefined) return `Names ${name}. Its group has no rule: everything is allowed.`;
  return first === last
    ? `Names ${name}. The rule on line ${first} binds it.`
    : `Names ${name}. The rules from line ${first} to ${last} bind it.`;
}

/** The crawlers of a group, with the lines that name them. */
function boundBy({ userAgents }: Group): string {
  const names = [...new Set(userAgents.map(({ productToken }) => productToken))];
  const shown = names
    .slice(0, mostNames)
    .map((name) => (name === "*" ? "every crawler that no group names (*)" : name === "" ? "no name" : name));
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
  const lines = userAgents.map(({ line }) => line);
  const [first, last] = [lines[0], lines.at(-1)];
  return `${shown.join(", ")}${more} (${first === last ? `line ${first}` : `lines ${first} to ${last}`})`;
}

function otherNote(directive: Directive, name: string | undefined, group: Group | undefined): string {
  if (name === undefined) return `“${directive.key.slice(0, 60)}” is not a directive of any known crawler.`;
  const type = recordTypes.find((each) => each.name === name);
  const whom =
    type?.scope === "group"
      ? group === undefined
        ? "outside of any group"
        : `for ${boundBy(group)}`
      : "for the whole file";
  return `${name}, ${whom}; it changes no decision, and does not separate user-agent lines.`;
}
