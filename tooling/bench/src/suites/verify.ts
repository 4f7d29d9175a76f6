// Measures checks of client addresses against a list as large as the largest published lists, and compares them with a linear search.
import {
  type Claim,
  type CrawlerChecks,
  createVerifier,
  type Prefix,
  readRanges,
  type Verifier,
} from "@robots-stream/verify";
import {
  type ClientAddresses,
  createLogAddresses,
  createRangeFile,
  createSpreadAddresses,
} from "../data/client-addresses.ts";
import { measure, type Times } from "../measure.ts";
import { type Report, type Row, type SuiteOptions, showRatio, showTime, verdictAtLeast } from "../report.ts";

const atMs = Date.UTC(2026, 10, 20);
/** Number of prefixes per family, about as many as Google publishes for its common crawlers. */
const each = 800;

export function runVerify(options: SuiteOptions): Report {
  const count = options.quick ? 1_000 : 65_536;
  const { ranges } = readRanges(createRangeFile(each));
  const { prefixes } = ranges!.table;
  const verifier = createVerifier({ lists: [{ name: "google-common", ranges: ranges!, fetchedAtMs: atMs }] });
  const checks = verifier.checksOf("Googlebot")!;
  const size = { count, seed: options.seed };
  const inputs = [
    { what: "", four: createLogAddresses(4, prefixes, size), six: createLogAddresses(6, prefixes, size) },
    { what: ", spread", four: createSpreadAddresses(4, size), six: createSpreadAddresses(6, size) },
  ];
  const rows = inputs.flatMap(({ what, four, six }) => {
    const claims = four.texts.map((address): Claim => ({ productToken: "Googlebot", address, atMs }));
    return [
      { name: `IPv4 as numbers${what}`, wanted: 20, run: () => countNumbers(checks, four) },
      { name: `IPv6 as numbers${what}`, wanted: 20, run: () => countNumbers(checks, six) },
      { name: `IPv4 from text${what}`, wanted: 5, run: () => countTexts(checks, four.texts) },
      { name: `IPv6 from text${what}`, wanted: 5, run: () => countTexts(checks, six.texts) },
      { name: `claims with product token and text${what}`, wanted: 5, run: () => countClaims(verifier, claims) },
    ];
  });
  const numbers = inputs[1]!.four.words.slice(0, 400).filter((_, at) => at % 4 === 3);
  const slowly = (): number => {
    let found = 0;
    for (const number of numbers) if (isIn(prefixes, number)) found++;
    return found;
  };
  const table: Row[] = [];
  for (const { name, wanted, run } of rows) {
    if (!options.wants(name)) continue;
    options.progress(name);
    const [ours, search] = measure(
      [
        { units: count, run },
        { units: numbers.length, run: slowly },
      ],
      options,
    ) as [Times, Times];
    const millions = 1_000 / ours.cpuNs;
    table.push({
      check: name,
      ours: ours.cpuNs,
      millions,
      wanted,
      verdict: verdictAtLeast(millions, wanted),
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
    notes: [
      "Addresses repeat as in a real log: 53 % equal the address of the previous request, 80 % one of the last 1,000. Half of the clients are in the list.",
      "spread: no address repeats; half are in the networks of Googlebot, the others anywhere.",
    ],
  };
}

function countNumbers(checks: CrawlerChecks, { family, words }: ClientAddresses): number {
  const address = new Uint32Array(4);
  let found = 0;
  for (let at = 0; at < words.length; at += 4) {
    for (let word = 0; word < 4; word++) address[word] = words[at + word]!;
    if (checks.verifyWords(family, address, atMs).verdict === "verified") found++;
  }
  return found;
}

function countTexts(checks: CrawlerChecks, texts: readonly string[]): number {
  let found = 0;
  for (const text of texts) if (checks.verify(text, atMs).verdict === "verified") found++;
  return found;
}

function countClaims(verifier: Verifier, claims: readonly Claim[]): number {
  let found = 0;
  for (const claim of claims) if (verifier.verify(claim).verdict === "verified") found++;
  return found;
}

function isIn(prefixes: readonly Prefix[], number: number): boolean {
  return prefixes.some(({ family, words, length }) => family === 4 && (words[3] ^ number) >>> (32 - length) === 0);
}
