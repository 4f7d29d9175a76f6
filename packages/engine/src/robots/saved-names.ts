// Finds the file for an origin in a folder of saved robots.txt files. Takes a few dozen bytes of memory per file.
import { opendirSync } from "node:fs";
import { isHostOfRequest } from "@robots-stream/logs";
import type { EntryCheck } from "../files/used-files.ts";
import { ByteKeys } from "../records/byte-keys.ts";

/** The saved file for an origin. */
export interface SavedName {
  readonly name: string;
  /** The HTTP status in the name ("example.com.404"); undefined for a file to parse. */
  readonly status: number | undefined;
}

/** The saved files of a folder, by the key in their names. */
export class SavedNames {
  /** Number of names that apply to an origin. */
  count = 0;
  /** Number of names that do not match any origin, and the first of these names in sorted order. */
  ignored = 0;
  firstIgnored: string | undefined;
  /** Two names that apply to the same origin. */
  clash: readonly [string, string] | undefined;
  readonly #keys = new ByteKeys();
  /** Status by key number; 0 for a file to parse. */
  #statuses = new Uint16Array(1_024);
  /** By key number: the file names that differ from the plain name, which is the key and ".txt", or the key and the status. */
  readonly #names = new Map<number, string>();
  #scratch = Buffer.alloc(1_024);

  /** Lists a folder. Throws the system's errors, and the errors of `check`, which is called for each name that applies to an origin. */
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

  /** The file of the first key in `keys` that has a file; undefined if there is none. */
  find(keys: readonly string[]): SavedName | undefined {
    for (const key of keys) {
      // #write may replace #scratch, so it is called first.
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

  /** Adds a name; returns whether it applies to an origin. */
  #add(name: string): boolean {
    if (name.startsWith(".")) return false;
    const parsed = parseName(name);
    if (parsed === undefined) {
      this.ignored++;
      // The first name in sorted order does not depend on the order in which the system lists the folder.
      if (this.firstIgnored === undefined || name < this.firstIgnored) this.firstIgnored = name;
      return false;
    }
    this.count++;
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
    // `textOf` reads a key's bytes as Latin-1, so it changes a key with other characters; such a key has more bytes than characters.
    if (end > key.length || name !== plainNameOf(key, status)) this.#names.set(number, name);
    return true;
  }

  /** Writes a key to `#scratch` in UTF-8, because a file may have any name; returns its length in bytes. */
  #write(key: string): number {
    if (key.length * 3 > this.#scratch.length) this.#scratch = Buffer.alloc(key.length * 6);
    return this.#scratch.write(key, "utf8");
  }
}

/** Whether a file with this name applies to an origin. */
export function isSavedName(name: string): boolean {
  return !name.startsWith(".") && parseName(name) !== undefined;
}

function plainNameOf(key: string, status: number | undefined): string {
  return `${key}.${status ?? "txt"}`;
}

/** The key in a file's name, which determines the origins of the file, and the status in the name; undefined for any other name. */
function parseName(name: string): { readonly key: string; readonly status: number | undefined } | undefined {
  const match = /^(.+)\.(?:txt|([2-5]\d\d))$/i.exec(name);
  const key = match?.[1]?.toLowerCase();
  const [, host] = /^(?:(?:https?|ftp)@)?(\[[0-9a-f.-]+\]|[^@]+)(?:@\d{1,5})?$/.exec(key ?? "") ?? [];
  if (key === undefined || host === undefined) return undefined;
  if (!isHostOfRequest(host.startsWith("[") ? host.replaceAll("-", ":") : host)) return undefined;
  const status = match?.[2] === undefined ? undefined : Number(match[2]);
  // A status below 400 is ignored: a successful response needs its text, and a redirect's target is unknown.
  return status !== undefined && status < 400 ? undefined : { key, status };
}
