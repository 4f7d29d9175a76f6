// Reads a list of origins with the group of each, in any input format, and finds the group of an origin.
import { createHash } from "node:crypto";
import type { CensusGroup } from "@robots-stream/census";
import { UsageError } from "@robots-stream/engine";
import {
  Input,
  type InputStream,
  nameOf,
  printableOf,
  RequestPlaces,
  shownWordOf,
} from "@robots-stream/engine/internal";
import type { InputSettings } from "../../cli/input-settings.ts";
import { createNoRowsWriter } from "../../cli/no-rows-writer.ts";

/** The maximum number of groups: a census has sums for each of them. */
const mostGroups = 1_000;
/** Number of unusable lines that are reported one by one. */
const toldLines = 10;

/** Settings of the list, and what reading it needs. */
export interface GroupListOptions {
  readonly path: string;
  /** The field with the group. */
  readonly field: string;
  readonly input: InputSettings;
  readonly stdin: InputStream;
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal | undefined;
}

interface Entry {
  readonly group: number;
  isFound: boolean;
}

/** The list. An origin with https also stands for the one with http, and the reverse, unless the list has both. */
export class GroupList {
  /** SHA-256 of the list. */
  digest = "";
  readonly #values = new Map<string, number>();
  readonly #entries = new Map<string, Entry>();
  #doubles = 0;

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
    else if (known.group !== group) this.#doubles++;
  }

  /** The number of entries with a second, different group. */
  get doubles(): number {
    return this.#doubles;
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

/** Reads the list. Rejects with a `UsageError` for a list that cannot be read, and with the signal's reason. */
export async function readGroupList(options: GroupListOptions): Promise<GroupList> {
  const { path, field, input: settings, stdin, say, signal } = options;
  const list = new GroupList();
  const hash = createHash("sha256");
  const texts = [{ name: "group", field, flag: "--group-field", isRequired: true }] as const;
  const onBytes = (bytes: Uint8Array): unknown => hash.update(bytes);
  const input = new Input([path], stdin, { ...settings, format: settings.inputFormat, texts, onBytes, onAssumed: say });
  const stop = (): void => input.stop();
  signal?.addEventListener("abort", stop, { once: true });
  let unusable = 0;
  const tell = (sentence: string): void => {
    if (++unusable <= toldLines) say(sentence);
  };
  const places = new RequestPlaces();
  try {
    if (path !== "-") await input.check(createNoRowsWriter);
    for await (const batch of input.batches(createNoRowsWriter())) {
      signal?.throwIfAborted();
      const packed = batch.records;
      for (let record = 0; record < packed.count; record++) {
        places.locate(packed, record);
        const value = Buffer.from(packed.fieldOf("group", record)).toString("utf8").trim();
        if (places.origin !== "" && value !== "") list.add(places.origin, value);
        else tell(`${nameOf(path)}: ${shownWordOf(packed.urlOf(record), 60)}: has no origin, or no group`);
      }
      for (const { source, line, message } of batch.rejects) tell(`${source}:${line}: ${printableOf(message)}`);
      packed.recycle?.();
    }
    signal?.throwIfAborted();
    for (const failure of input.failures) throw failure;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  if (unusable > 0) say(`${nameOf(path)}: ${unusable} lines are not used`);
  if (list.doubles > 0) say(`${nameOf(path)}: ${list.doubles} lines give an origin a second group; the first counts`);
  list.digest = hash.digest("hex");
  return list;
}

function otherSchemeOf(origin: string): string {
  return origin.startsWith("https:") ? `http${origin.slice(5)}` : `https${origin.slice(4)}`;
}
