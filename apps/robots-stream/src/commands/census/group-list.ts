// Reads a list of origins with the group of each, in any input format, and finds the group of an origin.
import { createHash } from "node:crypto";
import type { CensusGroup } from "@robots-stream/census";
import { UsageError } from "@robots-stream/engine";
import { nameOf, printableOf, RequestPlaces, shownWordOf } from "@robots-stream/engine/internal";
import type { Running } from "../../cli/command-body.ts";
import { inputSettingsOf } from "../../cli/input-settings.ts";
import { readRecords } from "../../cli/read-records.ts";

/** The maximum number of groups: a census has sums for each of them. */
const mostGroups = 1_000;
/** Number of unusable lines that are reported one by one. */
const toldLines = 10;

interface Entry {
  readonly group: number;
  isFound: boolean;
}

/** The list. An origin with https also stands for the one with http, and the reverse, unless the list has both. */
export class GroupList {
  /** SHA-256 of the list. */
  digest = "";
  /** The number of entries with a second, different group. */
  doubles = 0;
  readonly #values = new Map<string, number>();
  readonly #entries = new Map<string, Entry>();

  /** The number of groups. */
  get size(): number {
    return this.#values.size;
  }

  /** Adds an origin. The first of several groups of an entry counts. Throws a `UsageError` for too many groups. */
  add(key: string, value: string): void {
    const known = this.#entries.get(key);
    const group = this.#values.get(value) ?? this.#values.size;
    this.#values.set(value, group);
    if (group === mostGroups) {
      const hint = "name a field with few values, such as a country or a bucket of ranks";
      throw new UsageError("wrong-value", `--group-field has more than ${mostGroups} values`, hint);
    }
    if (known === undefined) this.#entries.set(key, { group, isFound: false });
    else if (known.group !== group) this.doubles++;
  }

  /** The number of an origin's group, which counts as found; undefined for an origin that the list lacks. */
  groupOf(origin: string): number | undefined {
    const entry = this.#entries.get(origin) ?? this.#entries.get(otherSchemeOf(origin));
    if (entry === undefined) return undefined;
    entry.isFound = true;
    return entry.group;
  }

  /** The groups, by number. */
  groups(): readonly CensusGroup[] {
    const counts = [...this.#values.keys()].map((value) => ({ value, listed: 0, found: 0 }));
    for (const { group, isFound } of this.#entries.values()) {
      counts[group]!.listed++;
      if (isFound) counts[group]!.found++;
    }
    return counts;
  }
}

/**
 * Reads the list in a file; `field` is the field with the group. Rejects with a `UsageError` for a list that cannot be read, and with the
 * signal's reason.
 */
export async function readGroupList(
  path: string,
  field: string,
  { values, stdin, say, signal }: Pick<Running, "values" | "stdin" | "say" | "signal">,
): Promise<GroupList> {
  const list = new GroupList();
  const hash = createHash("sha256");
  const settings = inputSettingsOf(values);
  const texts = [{ name: "group", field, flag: "--group-field", isRequired: true }] as const;
  const onBytes = (bytes: Uint8Array): unknown => hash.update(bytes);
  const options = { ...settings, format: settings.inputFormat, texts, onBytes };
  let unusable = 0;
  const tell = (sentence: string): void => {
    if (++unusable <= toldLines) say(sentence);
  };
  const places = new RequestPlaces();
  const { failures } = await readRecords([path], options, { stdin, say, signal }, (packed, rejects) => {
    for (let record = 0; record < packed.count; record++) {
      places.locate(packed, record);
      const value = Buffer.from(packed.fieldOf("group", record)).toString("utf8").trim();
      if (places.origin !== "" && value !== "") list.add(places.origin, value);
      else tell(`${nameOf(path)}: ${shownWordOf(packed.urlOf(record), 60)}: has no origin, or no group`);
    }
    for (const { source, line, message } of rejects) tell(`${source}:${line}: ${printableOf(message)}`);
  });
  for (const failure of failures) throw failure;
  if (unusable > 0) say(`${nameOf(path)}: ${unusable} lines are not used`);
  if (list.doubles > 0) say(`${nameOf(path)}: ${list.doubles} lines give an origin a second group; the first counts`);
  list.digest = hash.digest("hex");
  return list;
}

function otherSchemeOf(origin: string): string {
  return origin.startsWith("https:") ? `http${origin.slice(5)}` : `https${origin.slice(4)}`;
}
