// Compares the targets of real URLs with the path and query that Google's parser cuts out of the same URLs.
import { expect, test } from "vitest";
import { parseTarget } from "../src/index.ts";
import { sharedRows } from "./data.ts";

/** Path and query of an ordinary absolute URL, unchanged. */
function rawTargetOf(url: string): string {
  const rest = url.replace(/#.*$/s, "").replace(/^[a-z]+:\/\/[^/?]*/, "");
  return rest.startsWith("/") ? rest : `/${rest}`;
}

const rows = sharedRows<{ url: string }>("corpora/urls/real-urls-dev.ndjson.gz");

test.skipIf(rows === undefined)(
  "54,481 real URLs: all have a target, and 35 targets differ, only in the case of escapes (needs ../shared)",
  () => {
    const changed = rows!.filter(({ url }) => parseTarget(url)!.target !== rawTargetOf(url));
    expect(rows!.length).toBe(54_481);
    expect(changed.length).toBe(35);
    for (const { url } of changed) {
      const upper = rawTargetOf(url).replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
      expect(parseTarget(url)!.target).toBe(upper);
    }
  },
);

const logs = ["nginx-wordpress-2025", "elastic-apache-combined-2015", "nasa-ksc-19950801"] as const;
const records = logs.map((name) => sharedRows<{ url: string }>(`corpora/logs/${name}.ndjson.gz`));

test.skipIf(records.includes(undefined))(
  "31,999 records of real logs: all have a target, and one target differs, by its backslashes (needs ../shared)",
  () => {
    const urls = records.flatMap((log) => log!.map(({ url }) => url));
    expect(urls.length).toBe(31_999);
    const changed = urls.filter((url) => parseTarget(url)!.target !== rawTargetOf(url));
    expect(changed.map((url) => parseTarget(url)!.target)).toEqual(["///yahoo.com"]);
  },
);
