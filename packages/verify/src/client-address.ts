// The addresses of a request in, its client's out: the rightmost one that no trusted proxy has.
import { AddressReader } from "./address.ts";
import { PrefixTable } from "./prefix-table.ts";
import { parsePrefix } from "./range-list.ts";

/** Most addresses of X-Forwarded-For that are looked at, from the right. */
const mostAddresses = 100;

/** Finds clients behind proxies. */
export class ClientAddresses {
  readonly #trusted: PrefixTable | undefined;
  readonly #reader = new AddressReader();

  /** `proxies`: addresses and prefixes of proxies whose X-Forwarded-For is believed. Throws a `RangeError` for another text. */
  constructor(proxies: readonly string[] = []) {
    if (proxies.length === 0) return;
    const prefixes = proxies.map((proxy) => {
      const prefix = parsePrefix(proxy);
      if (prefix === undefined) throw new RangeError("a proxy must be an address or a prefix");
      return prefix;
    });
    this.#trusted = new PrefixTable(prefixes);
  }

  /**
   * The client's address in a field that has the address of the peer, or a list of addresses (X-Forwarded-For) to whose right each proxy
   * added the one it saw. Only the text to the right of the first address that is not trusted is believed: the client may have written
   * the rest. "" when there is none, or when all of them are proxies: a client that no proxy named is not known.
   */
  clientOf(field: string): string {
    let end = field.length;
    for (let count = 0; count < mostAddresses && end >= 0; count++) {
      const comma = field.lastIndexOf(",", end - 1);
      const start = comma < 0 ? 0 : comma + 1;
      const address = field.slice(start, end).trim();
      if (!this.#isTrusted(address)) return address;
      if (comma < 0) return "";
      end = comma;
    }
    return "";
  }

  #isTrusted(address: string): boolean {
    const table = this.#trusted;
    if (table === undefined) return false;
    const family = this.#reader.read(address);
    return family !== 0 && table.find(family, this.#reader.words) >= 0;
  }
}
