// Adds up the requests of tables by what they share, so that tables can be compared.
import { AuditError } from "../errors.ts";

/** Sums of requests. A key is the position of a crawler, a space, and the further facts that the requests share. */
export class Sums {
  readonly all: Map<string, number> = new Map();

  add(key: string, requests: number): void {
    this.all.set(key, (this.all.get(key) ?? 0) + requests);
  }

  of(key: string): number {
    return this.all.get(key) ?? 0;
  }
}

type Span = readonly [first: number | null, last: number | null];

/** Requests by crawler, rule and judgement, with the earliest and the latest time. */
export class Grounds {
  readonly requests: Sums = new Sums();
  readonly spans: Map<string, Span> = new Map();

  add(key: string, requests: number, first: number | null, last: number | null): void {
    this.requests.add(key, requests);
    const [from, to] = this.spans.get(key) ?? [null, null];
    this.spans.set(key, [
      from === null || first === null ? (from ?? first) : Math.min(from, first),
      to === null || last === null ? (to ?? last) : Math.max(to, last),
    ]);
  }
}

/** The sums by another key; `keyOf` returns undefined for requests that are left out. */
export function sumsBy(sums: Sums, keyOf: (parts: readonly string[]) => string | undefined): Sums {
  const others = new Sums();
  for (const [key, requests] of sums.all) {
    const other = keyOf(key.split(" "));
    if (other !== undefined) others.add(other, requests);
  }
  return others;
}

/** Throws the error for tables that contradict one another. */
export function contradict(what: string): never {
  throw new AuditError("ERR_INVALID_DOCUMENT", `${what}: the audit is damaged, or was changed`);
}
