// Finds the file for an origin in a folder of saved robots.txt files.
import { opendirSync } from "node:fs";
import { isHostOfRequest } from "@robots-stream/logs";
import type { EntryCheck } from "../files/used-files.ts";

/** The saved file for an origin. */
interface SavedName {
  readonly name: string;
  /** The HTTP status in the name ("example.com.404"); undefined for a file to parse. */
  readonly status: number | undefined;
}

/** The saved files of a folder, by the key in their names. */
export class SavedNames {
  /** Number of names that do not match any origin, and the first of these names in sorted order. */
  ignored = 0;
  firstIgnored: string | undefined;
  /** Two names that apply to the same origin. */
  clash: readonly [string, string] | undefined;
  readonly #names = new Map<string, string>();

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

  /** Number of origins or hosts to which a name applies. */
  get count(): number {
    return this.#names.size;
  }

  /** The file of the first key in `keys` that has a file; undefined if there is none. */
  find(keys: readonly string[]): SavedName | undefined {
    const name = keys.map((key) => this.#names.get(key)).find((each) => each !== undefined);
    return name === undefined ? undefined : { name, status: statusIn(name) };
  }

  /** Adds a name; returns whether it applies to an origin. */
  #add(name: string): boolean {
    if (name.startsWith(".")) return false;
    const key = keyIn(name);
    if (key === undefined) {
      this.ignored++;
      // The first name in sorted order does not depend on the order in which the system lists the folder.
      if (this.firstIgnored === undefined || name < this.firstIgnored) this.firstIgnored = name;
      return false;
    }
    const known = this.#names.get(key);
    if (known === undefined) this.#names.set(key, name);
    else {
      const [first = "", second = ""] = [known, name].toSorted();
      this.clash = [first, second];
    }
    return true;
  }
}

/** Whether a file with this name applies to an origin. */
export function isSavedName(name: string): boolean {
  return !name.startsWith(".") && keyIn(name) !== undefined;
}

/** The status at the end of a file's name; undefined for a file to parse. */
function statusIn(name: string): number | undefined {
  return name.endsWith("t") || name.endsWith("T") ? undefined : Number(name.slice(-3));
}

/** The key in a file's name, which determines the origins of the file; undefined for a name that applies to no origin. */
function keyIn(name: string): string | undefined {
  const key = /^(.+)\.(?:txt|[2-5]\d\d)$/i.exec(name)?.[1]?.toLowerCase();
  const [, host] = /^(?:(?:https?|ftp)@)?(\[[0-9a-f.-]+\]|[^@]+)(?:@\d{1,5})?$/.exec(key ?? "") ?? [];
  if (key === undefined || host === undefined) return undefined;
  if (!isHostOfRequest(host.startsWith("[") ? host.replaceAll("-", ":") : host)) return undefined;
  // A status below 400 is ignored: a successful response needs its text, and a redirect's target is unknown.
  return (statusIn(name) ?? 400) < 400 ? undefined : key;
}
