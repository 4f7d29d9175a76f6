// Finds the client's address among the addresses of a request: the rightmost address that does not belong to a trusted proxy.
import { AddressReader } from "./address.ts";
import { PrefixTable } from "./prefix-table.ts";
import { parsePrefix } from "./range-list.ts";

/** The maximum number of addresses of X-Forwarded-For that are read, from the right. */
const mostAddresses = 100;

/** Finds clients behind proxies. */
export class ClientAddresses {
  readonly #trusted: PrefixTable | undefined;
  readonly #reader = new AddressReader();

  /** `proxies`: addresses and prefixes of the proxies whose X-Forwarded-For is trusted. Throws a `RangeError` for any other text. */
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
   * The client's address in a field that has the peer's address or a list of addresses (X-Forwarded-For), to which each proxy appended the
   * address of its peer. The client's address is the rightmost entry that is not the address of a trusted proxy; it is returned even if it
   * is not an address ("unknown"). The client may have forged all entries to the left of it. "" if there is no entry, or if all entries, or
   * the 100 rightmost, are trusted proxies.
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
