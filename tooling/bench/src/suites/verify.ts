// Measures checks of client addresses with a list as large as the largest published ones, against a search through its prefixes.
import { type Claim, createVerifier, type Prefix, readRanges } from "@robots-stream/verify";
import { measure, type Times } from "../measure.ts";
import { type Report, type Row, type SuiteOptions, showRatio, showTime } from "../report.ts";

const atMs = Date.UTC(2026, 10, 20);
/** Prefixes of each family: Google's common crawlers have about as many. */
const each = 800;

/** Runs the suite. */
export function runVerify(options: SuiteOptions): Report {
  const count = options.quick ? 1_000 : 65_536;
  const { ranges } = readRanges(listOf());
  const verifier = createVerifier({ lists: [{ name: "google-common", ranges: ranges!, fetchedAtMs: atMs }] });
  const checks = verifier.checksOf("Googlebot")!;
  const four = numbersOf(count, options.seed);
  const textsOf4 = Array.from(four, textOf4);
  const textsOf6 = Array.from(
    four,
    (number) => `2001:4860:4801:${(number % 1_000).toString(16)}::${(number >>> 20).toString(16)}`,
  );
  const words = new Uint32Array(4);
  const six = new Uint32Array([0x20014860, 0x48010000, 0, 1]);
  const claims = textsOf4.map((address): Claim => ({ productToken: "Googlebot", address, atMs }));
  const rows: readonly { readonly name: string; readonly wanted: number; readonly run: () => number }[] = [
    {
      name: "IPv4 as numbers",
      wanted: 20,
      run() {
        let found = 0;
        for (let at = 0; at < four.length; at++) {
          words[3] = four[at]!;
          if (checks.verifyWords(4, words, atMs).verdict === "verified") found++;
        }
        return found;
      },
    },
    {
      name: "IPv6 as numbers",
      wanted: 20,
      run() {
        let found = 0;
        for (let at = 0; at < four.length; at++) {
          six[1] = 0x48010000 + (four[at]! % 1_000);
          six[3] = at;
          if (checks.verifyWords(6, six, atMs).verdict === "verified") found++;
        }
        return found;
      },
    },
    {
      name: "IPv4 from text",
      wanted: 5,
      run: () => textsOf4.filter((text) => checks.verify(text, atMs).list !== undefined).length,
    },
    {
      name: "IPv6 from text",
      wanted: 5,
      run: () => textsOf6.filter((text) => checks.verify(text, atMs).list !== undefined).length,
    },
    {
      name: "claims with product token and text",
      wanted: 5,
      run: () => claims.filter((claim) => verifier.verify(claim).list !== undefined).length,
    },
  ];
  const slowly = (): number => {
    let found = 0;
    for (const number of four.subarray(0, 100)) if (isIn(ranges!.table.prefixes, number)) found++;
    return found;
  };
  const table: Row[] = [];
  for (const { name, wanted, run } of rows) {
    if (!options.wants(name)) continue;
    options.progress(name);
    const [ours, search] = measure(
      [
        { units: count, run },
        { units: 100, run: slowly },
      ],
      options,
    ) as [Times, Times];
    const millions = 1_000 / ours.cpuNs;
    table.push({
      check: name,
      ours: ours.cpuNs,
      millions,
      wanted,
      verdict: options.quick ? "" : millions >= wanted ? "ok" : "BELOW",
      ratio: search.cpuNs / ours.cpuNs,
      found: run(),
    });
  }
  return {
    suite: "verify",
    title: `CPU time per check of an address, with a list of ${each} prefixes of each family`,
    columns: [
      { key: "check", heading: "check" },
      { key: "ours", heading: "time", show: showTime },
      { key: "millions", heading: "million/s" },
      { key: "wanted", heading: "wanted ≥" },
      { key: "verdict", heading: "" },
      { key: "ratio", heading: "search of all IPv4 prefixes", show: showRatio },
      { key: "found", heading: "verified" },
    ],
    rows: table,
    notes: ["Half of the IPv4 addresses are from the blocks of the list, the others from anywhere."],
  };
}

function listOf(): string {
  const prefixes = Array.from({ length: each }, (_, at) => [
    {
      ipv4Prefix:
        at % 2 === 0
          ? `66.249.${64 + ((at >> 4) % 32)}.${(at % 16) * 16}/28`
          : `${34 + (at % 4)}.${(at * 37) % 256}.${(at * 91) % 256}.0/27`,
    },
    { ipv6Prefix: `2001:4860:4801:${at.toString(16)}::/64` },
  ]);
  return JSON.stringify({ creationTime: "2026-11-20T00:00:00", prefixes: prefixes.flat() });
}

function numbersOf(count: number, seed: number): Uint32Array {
  let state = seed >>> 0;
  return Uint32Array.from({ length: count }, (_, at) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return at % 2 === 0 ? state : 0x42f94000 + (state >>> 19);
  });
}

function textOf4(number: number): string {
  return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`;
}

function isIn(prefixes: readonly Prefix[], number: number): boolean {
  return prefixes.some(({ family, words, length }) => family === 4 && (words[3] ^ number) >>> (32 - length) === 0);
}
