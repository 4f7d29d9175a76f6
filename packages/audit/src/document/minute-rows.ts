// Converts the counts of one origin by minute to sorted rows.
import { actorRoom, graceRoom, splitKey } from "../count/keys.ts";
import type { OriginCounts } from "../count/origin-counts.ts";
import { secondsPerMinute } from "../time.ts";
import { type CrawlerNames, verificationOf } from "./ranks.ts";
import { type Row, compareRows } from "./tables.ts";

/** The rows of requests in grace, sorted. */
export function graceMinuteRowsOf(counts: OriginCounts, crawlers: CrawlerNames): readonly Row<"graceMinutes">[] {
  return [...counts.graceMinutes]
    .flatMap(([key, minutes]) => {
      const [interval, actor, flags] = splitKey([0, 0, 0], key, [graceRoom, actorRoom]);
      return Array.from({ length: minutes.count }, (_, cell): Row<"graceMinutes"> => [
        minutes.keyOf(cell) * secondsPerMinute,
        crawlers.tokenOf(actor!),
        verificationOf(actor!),
        interval!,
        flags! >= 2,
        flags! % 2 === 1,
        minutes.valueOf(cell, 0),
      ]);
    })
    .toSorted(compareRows);
}

/** The rows of the sample of minutes, sorted. */
export function paceRowsOf(counts: OriginCounts, crawlers: CrawlerNames): readonly Row<"pace">[] {
  return [...counts.pace]
    .flatMap(([actor, minutes]) =>
      minutes
        .entries()
        .map(([minute, requests]): Row<"pace"> => [
          minute * secondsPerMinute,
          crawlers.tokenOf(actor),
          verificationOf(actor),
          requests,
        ]),
    )
    .toSorted(compareRows);
}
