// Shows the cache entries of origins, current or at an earlier time. An entry is shown as text, as JSON, or only as its robots.txt.
import { createHash } from "node:crypto";
import type { StoredRobots } from "@robots-stream/fetch";
import { jsonOfStored } from "@robots-stream/fetch/json";
import { exitCodes } from "../../cli/exit-codes.ts";
import { printableJsonOf, printableOf } from "@robots-stream/engine/internal";
import { isoOf, lineOf } from "./list.ts";
import { originOf } from "./named-origin.ts";
import type { ActionContext } from "./action.ts";

/**
 * Shows the entry of each named origin. Resolves to the exit code: 1 if the cache has no entry for one of the origins, and with `--body`
 * also if an entry has no robots.txt.
 */
export async function showOrigins(context: ActionContext): Promise<number> {
  const { command, store, say, write } = context;
  const isJson = command.output.format.name === "ndjson";
  const atMs = command.flags.get("at");
  const origins = [...new Set(command.names.map(originOf))];
  let isFirst = true;
  let exitCode: number = exitCodes.done;
  for (const origin of origins) {
    const entries = entriesOf(context, origin);
    if (entries.length === 0) {
      const when = atMs === undefined ? "" : ` at ${isoOf(atMs)}`;
      say(`there is no entry for ${printableOf(origin, 300)}${when}`);
      exitCode = exitCodes.conditionMet;
    }
    if (command.flags.get("history")) await write(entries.map((entry) => lineOf(entry, isJson)).join(""));
    else {
      for (const entry of entries) {
        if (!isJson && !command.flags.get("body") && !isFirst) await write("\n");
        await write(shown(context, entry));
        isFirst = false;
        if (command.flags.get("body") && entry.body === undefined) {
          say(`no robots.txt: ${entry.access}, ${printableOf(entry.code, 30)}`);
          exitCode = exitCodes.conditionMet;
        }
      }
    }
  }
  return exitCode;

  function entriesOf({ command: { flags } }: ActionContext, origin: string): readonly StoredRobots[] {
    if (flags.get("history")) return store.history(origin);
    const entry = atMs === undefined ? store.get(origin) : store.at(origin, atMs);
    return entry === undefined ? [] : [entry];
  }
}

function shown({ command, stdout }: ActionContext, entry: StoredRobots): string | Uint8Array {
  if (command.output.format.name === "ndjson") return `${printableJsonOf(JSON.stringify(jsonOfStored(entry)))}\n`;
  if (!command.flags.get("body")) return textOf(entry);
  // A file or pipe gets the robots.txt unchanged. A terminal gets the lines with control characters as escapes.
  const body = entry.body ?? new Uint8Array(0);
  return stdout.isTTY === true
    ? linesOf(body)
        .map((line) => `${line}\n`)
        .join("")
    : body;
}

function textOf(entry: StoredRobots): string {
  const { origin, fetchedAt, freshUntil, access, code, status, hops, headers, unreachableSince, lastCopy, body } =
    entry;
  const rows: [string, string][] = [
    ["origin", origin],
    ["fetched", isoOf(fetchedAt)],
    ["fresh until", isoOf(freshUntil)],
    ["result", `${access}, ${code}${status === undefined ? "" : `, status ${status}`}`],
    ...hops.map(({ url, status: answered }, at): [string, string] => [
      at === 0 ? "asked" : "then",
      `${url} ${answered}`,
    ]),
    ...Object.entries(headers ?? {}).map(([name, value], at): [string, string] => [
      at === 0 ? "headers" : "",
      `${name}: ${value}`,
    ]),
    ...(unreachableSince === undefined
      ? []
      : [["unreachable", `since ${isoOf(unreachableSince)}`] satisfies [string, string]]),
    ...(lastCopy === undefined
      ? []
      : [
          ["before that", `${isoOf(lastCopy.fetchedAt)}: ${lastCopy.access}, ${lastCopy.code}`] satisfies [
            string,
            string,
          ],
        ]),
    ...(body === undefined
      ? []
      : [
          [
            "body",
            `${body.byteLength} bytes${entry.truncated === true ? ", cut" : ""}, sha256 ${hashOf(body)}`,
          ] satisfies [string, string],
        ]),
  ];
  const head = rows.map(([what, value]) => `${what.padEnd(13)}${printableOf(value, 1_000)}\n`).join("");
  const lines = linesOf(body ?? lastCopy?.body ?? new Uint8Array(0));
  const width = String(lines.length).length;
  const text = lines.map((line, at) => `${String(at + 1).padStart(width + 2)} | ${line}\n`).join("");
  return text === "" ? head : `${head}\n${text}`;
}

/** Returns the lines of a robots.txt, with tabs as spaces and other control characters as escapes. */
function linesOf(body: Uint8Array): readonly string[] {
  if (body.byteLength === 0) return [];
  const lines = Buffer.from(body)
    .toString("utf8")
    .split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => printableOf(line.replaceAll("\t", " "), 2_000));
}

function hashOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}
