// The files of a folder of saved robots.txt in, the file that speaks about an origin out: a few dozen bytes a file.
import { opendirSync } from "node:fs";
import type { EntryCheck } from "../files/used-files.ts";
import { ByteKeys } from "../records/byte-keys.ts";

/** What is saved about an origin. */
export interface SavedName {
  readonly name: string;
  /** The status the name says, "example.com.404"; undefined for a file to parse. */
  readonly status: number | undefined;
}

/** Files that are looked for by the names that speak about an origin. */
export class SavedNames {
  /** Names that speak about nothing: how many, and the first of them. */
  ignored = 0;
  firstIgnored: string | undefined;
  /** Two names that apply to the same origin. */
  clash: readonly [string, string] | undefined;
  readonly #keys = new ByteKeys();
  /** By the key's number: 0 for a file to parse. */
  #statuses = new Uint16Array(1_024);
  /** Names that are not the key and ".txt", or the key and the status. */
  readonly #names = new Map<number, string>();
  #scratch = Buffer.alloc(1_024);

  /** Lists a folder. Throws the system's error when it cannot be, and what `check` throws for a name that speaks about an origin. */
  constructor(path: string, check?: EntryCheck) {
    const folder = opendirSync(path, { bufferSize: 1_024 });
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        if (this.#add(entry.name)) check?.(entry.name, entry.isSymbolicLink());
      }
    } finally {
      folder.closeSync();
    }
  }

  /** The file with the first of these keys that there is one for. */
  find(keys: readonly string[]): SavedName | undefined {
    for (const key of keys) {
      // Writing may make another scratch.
      const end = this.#write(key);
      const number = this.#keys.find(this.#scratch, 0, end);
      if (number >= 0) return this.#nameOf(number);
    }
    return undefined;
  }

  #nameOf(number: number): SavedName {
    const said = this.#statuses[number]!;
    const status = said === 0 ? undefined : said;
    return { status, name: this.#names.get(number) ?? plainNameOf(this.#keys.textOf(number), status) };
  }

  /** Whether it speaks about an origin. */
  #add(name: string): boolean {
    if (name.startsWith(".")) return false;
    const parsed = parseName(name);
    if (parsed === undefined) {
      this.ignored++;
      // The first by name, in whichever order the system lists them.
      if (this.firstIgnored === undefined || name < this.firstIgnored) this.firstIgnored = name;
      return false;
    }
    const { key, status } = parsed;
    const end = this.#write(key);
    const known = this.#keys.find(this.#scratch, 0, end);
    if (known >= 0) {
      const [first = "", second = ""] = [this.#nameOf(known).name, name].toSorted();
      this.clash = [first, second];
      return true;
    }
    const number = this.#keys.add(this.#scratch, 0, end);
    if (number === this.#statuses.length) {
      const statuses = this.#statuses;
      (this.#statuses = new Uint16Array(number * 2)).set(statuses);
    }
    this.#statuses[number] = status ?? 0;
    if (name !== plainNameOf(this.#keys.textOf(number), status)) this.#names.set(number, name);
    return true;
  }

  /** In UTF-8: a file may have any name, though only those of ASCII are ever looked for. */
  #write(key: string): number {
    if (key.length * 3 > this.#scratch.length) this.#scratch = Buffer.alloc(key.length * 6);
    return this.#scratch.write(key, "utf8");
  }
}

/** Whether a file of this name speaks about an origin. */
export function isSavedName(name: string): boolean {
  return !name.startsWith(".") && parseName(name) !== undefined;
}

function plainNameOf(key: string, status: number | undefined): string {
  return `${key}.${status ?? "txt"}`;
}

/** A file's name → the origins it applies to, and its status; undefined for any other name. */
function parseName(name: string): { readonly key: string; readonly status: number | undefined } | undefined {
  const match = /^(.+)\.(?:txt|([2-5]\d\d))$/i.exec(name);
  const key = match?.[1]?.toLowerCase();
  if (key === undefined || !/^(?:(?:https?|ftp)@)?(?:\[[0-9a-f.-]+\]|[^@]+)(?:@\d{1,5})?$/.test(key)) return undefined;
  const status = match?.[2] === undefined ? undefined : Number(match[2]);
  // A successful answer is known by its text, not by its status; where a redirect led, nothing is known about.
  return status !== undefined && status < 400 ? undefined : { key, status };
}
