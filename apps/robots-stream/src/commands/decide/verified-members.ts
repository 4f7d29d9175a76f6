// Makes the members of a row that state whether the client is the crawler named in its User-Agent header.
import type { AskedText, MemberRecord, MemberValues, RecordMembers } from "@robots-stream/engine";
import { crawlerListOf, type QuestionOptions } from "@robots-stream/engine/internal";
import type { LogClock } from "@robots-stream/logs";
import type { Verification } from "@robots-stream/verify";
import type { RecordVerifier } from "../../cli/verify/verifier.ts";
import { remembered, timeReader } from "./remembered.ts";

/** Maximum numbers of remembered User-Agent headers and verdicts. */
const mostHeaders = 10_000;
const mostVerdicts = 50_000;

const addressAt = 0;
const timeAt = 1;

/** Makes the source of the members `verified`, `verifiedBecause` and `verifiedBy`, which are the verdict of a verifier. */
export function createVerifiedMembers(
  verifier: RecordVerifier,
  address: AskedText,
  { options, logClock }: { readonly options: QuestionOptions; readonly logClock: LogClock | undefined },
): RecordMembers {
  const { productTokenOf } = crawlerListOf(options.crawlers);
  const tokenOf = remembered(mostHeaders, (header: string) =>
    productTokenOf(Buffer.from(header, "latin1").toString("utf8")),
  );
  const timeOf = timeReader(logClock);
  const valuesOfVerdict = remembered(mostVerdicts, valuesOf);
  function* clientsOf(
    records: Parameters<NonNullable<RecordMembers["prepare"]>>[0],
  ): Generator<readonly [string | undefined, string]> {
    for (let record = 0; record < records.count; record++) {
      yield [tokenOf(records.fieldOf("agent", record)), records.fieldOf("address", record)];
    }
  }
  return {
    names: ["verified", "verifiedBecause", "verifiedBy"],
    fields: ["address", "time"],
    texts: [address],
    prepare: (records) => verifier.prepare(clientsOf(records)),
    valuesOf: (record: MemberRecord) =>
      valuesOfVerdict(
        verifier.verify(record.question.agent, record.textOf(addressAt), timeOf(record.textOf(timeAt)).ms),
      ),
  };
}

function valuesOf({ verdict, because, list, dateMs, entry, host }: Verification): MemberValues {
  const date = dateMs === undefined ? undefined : new Date(dateMs).toISOString().replace(".000Z", "Z");
  const by = verdict === "verified" ? JSON.stringify({ list, date, entry, host }) : undefined;
  return [JSON.stringify(verdict), JSON.stringify(because), by];
}
