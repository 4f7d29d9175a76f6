// Makes the members of a row that state whether the client is the crawler named in its User-Agent header.
import type { AskedText, MemberRecord, MemberValues, RecordMembers } from "@robots-stream/engine";
import { crawlerListOf, type QuestionOptions } from "@robots-stream/engine/internal";
import type { LogClock } from "@robots-stream/logs";
import type { Verification } from "@robots-stream/verify";
import type { RecordVerifier } from "../../cli/verify/verifier.ts";
import { TimeTexts } from "./time-texts.ts";

/** Maximum numbers of cached User-Agent headers and of cached verdicts. A full cache is cleared. */
const mostHeaders = 10_000;
const mostVerdicts = 50_000;

const addressAt = 0;
const timeAt = 1;

/** Makes the members `verified`, `verifiedBecause` and `verifiedBy` from the verdict of a verifier. */
export class VerifiedMembers implements RecordMembers {
  readonly names: readonly string[] = ["verified", "verifiedBecause", "verifiedBy"];
  readonly fields: RecordMembers["fields"] = ["address", "time"];
  readonly texts: RecordMembers["texts"];
  readonly #verifier: RecordVerifier;
  readonly #tokenOf: (header: string) => string | undefined;
  readonly #tokens = new Map<string, string | undefined>();
  readonly #values = new Map<Verification, MemberValues>();
  /** Parses times and caches the results, because many neighbouring records have the same time. */
  readonly #times: TimeTexts;

  constructor(
    verifier: RecordVerifier,
    address: AskedText,
    { options, logClock }: { readonly options: QuestionOptions; readonly logClock: LogClock | undefined },
  ) {
    this.#verifier = verifier;
    this.#times = new TimeTexts(logClock);
    this.texts = [address];
    this.#tokenOf = crawlerListOf(options.crawlers).productTokenOf;
  }

  prepare(records: Parameters<NonNullable<RecordMembers["prepare"]>>[0]): Promise<void> | undefined {
    return this.#verifier.prepare(this.#clientsOf(records));
  }

  *#clientsOf(
    records: Parameters<NonNullable<RecordMembers["prepare"]>>[0],
  ): Generator<readonly [string | undefined, string]> {
    for (let record = 0; record < records.count; record++) {
      const header = records.fieldOf("agent", record);
      yield [this.#productTokenOf(header), records.fieldOf("address", record)];
    }
  }

  valuesOf(record: MemberRecord): MemberValues {
    const verification = this.#verifier.verify(
      record.question.agent,
      record.textOf(addressAt),
      this.#times.read(record.textOf(timeAt)).ms,
    );
    let values = this.#values.get(verification);
    if (values === undefined) {
      if (this.#values.size === mostVerdicts) this.#values.clear();
      values = valuesOf(verification);
      this.#values.set(verification, values);
    }
    return values;
  }

  #productTokenOf(header: string): string | undefined {
    if (this.#tokens.has(header)) return this.#tokens.get(header);
    if (this.#tokens.size === mostHeaders) this.#tokens.clear();
    const token = this.#tokenOf(Buffer.from(header, "latin1").toString("utf8"));
    this.#tokens.set(header, token);
    return token;
  }
}

function valuesOf({ verdict, because, list, dateMs, entry, host }: Verification): MemberValues {
  const date = dateMs === undefined ? undefined : new Date(dateMs).toISOString().replace(".000Z", "Z");
  const by = verdict === "verified" ? JSON.stringify({ list, date, entry, host }) : undefined;
  return [JSON.stringify(verdict), JSON.stringify(because), by];
}
