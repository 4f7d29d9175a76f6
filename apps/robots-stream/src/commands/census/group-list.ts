// Reads a list of origins with the group of each, in any input format, and finds the group of an origin.
import { createHash } from "node:crypto";
import { UsageError } from "@robots-stream/engine";
import {
  FirstTold,
  nameOf,
  otherSchemeOf,
  printableOf,
  RequestPlaces,
  shownWordOf,
} from "@robots-stream/engine/internal";
import type { Running } from "../../cli/command-body.ts";
import { countText } from "../../cli/figures.ts";
import { inputSettingsOf } from "../../cli/input-settings.ts";
import { readRecords } from "../../cli/read-records.ts";

/** The maximum number of groups: a census has sums for each of them. */
const mostGroups = 1_000;
/** The list. An origin with https also stands for the one with http, and the reverse, unless the list has both. */
export class GroupList {
  /** SHA-256 of the list. */
  digest = "";
  /** The number of entries with a second, different group. */
  doubles = 0;
  /** The groups, by number. */
  readonly groups: { readonly value: string; listed: number; found: number }[] = [];
  readonly #numbers = new Map<string, number>();
  /** The number of the group of each origin. */
  readonly #listed = new Map<string, number>();
  readonly #found = new Set<string>();

  /** Adds an origin. The first of several groups of an origin counts. Throws a `UsageError` for too many groups. */
  add(origin: string, value: string): void {
    let group = this.#numbers.get(value);
    if (group === undefined) {
      if (this.groups.length === mostGroups) {
        const hint = "name a field with few values, such as a country or a bucket of ranks";
        throw new UsageError("wrong-value", `--group-field has more than ${mostGroups} values`, hint);
      }
      group = this.groups.push({ value, listed: 0, found: 0 }) - 1;
      this.#numbers.set(value, group);
    }
    const known = this.#listed.get(origin);
    if (known !== undefined && known !== group) this.doubles++;
    if (known !== undefined) return;
    this.#listed.set(origin, group);
    this.groups[group]!.listed++;
  }

  /** The number of an origin's group, which counts as found; undefined for an origin that the list lacks. */
  groupOf(origin: string): number | undefined {
    const listed = this.#listed.has(origin) ? origin : (otherSchemeOf(origin) ?? "");
    const group = this.#listed.get(listed);
    if (group === undefined || this.#found.has(listed)) return group;
    this.#found.add(listed);
    this.groups[group]!.found++;
    return group;
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
  const unusable = new FirstTold(say);
  const places = new RequestPlaces();
  const { failures } = await readRecords([path], options, { stdin, say, signal }, (packed, rejects) => {
    for (let record = 0; record < packed.count; record++) {
      places.locate(packed, record);
      const value = Buffer.from(packed.fieldOf("group", record)).toString("utf8").trim();
      if (places.origin !== "" && value !== "") list.add(places.origin, value);
      else unusable.tell(`${nameOf(path)}: ${shownWordOf(packed.urlOf(record), 60)}: has no origin, or no group`);
    }
    for (const { source, line, message } of rejects) unusable.tell(`${source}:${line}: ${printableOf(message)}`);
  });
  for (const failure of failures) throw failure;
  if (unusable.count > 0) say(`${nameOf(path)}: ${countText(unusable.count, "line")} not used`);
  if (list.doubles > 0)
    say(`${nameOf(path)}: a second group of an origin in ${countText(list.doubles, "line")}; the first counts`);
  list.digest = hash.digest("hex");
  return list;
}
