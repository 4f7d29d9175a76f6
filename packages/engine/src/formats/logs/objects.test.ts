// Tests that the number of records with an assumed origin does not depend on the format of the output.
import { expect, test } from "vitest";
import { inputFormatNamed, outputFormats } from "../registry/registry.ts";

const lines = [
  '{"ClientRequestURI":"/a"}',
  '{"ClientRequestURI":"/b","ClientRequestHost":"b.example"}',
  '{"ClientRequestURI":"/c"}',
];

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(`${lines.join("\n")}\n`));
}

test.each(outputFormats)("$name", async ({ createWriter }) => {
  const writer = createWriter({ resultKey: "robots", csvSafe: false, hasDialect: false, hasKind: false });
  const base = { scheme: "https", host: "a.example" } as const;
  const options = { source: "test", lineEnd: "\n", maxLineBytes: 1_000, urlField: undefined, base, writer } as const;
  let assumed = 0;
  for await (const { records } of inputFormatNamed("cloudflare")!.read(chunks(), options)) {
    for (let record = 0; record < records.count; record++) if (records.isOriginAssumed(record)) assumed++;
  }
  expect(assumed).toBe(2);
});
