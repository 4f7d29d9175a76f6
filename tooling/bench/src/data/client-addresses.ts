// Generates, from a seed, a list of address ranges, and client addresses that repeat as in real logs or do not repeat.
import { addressText, type Prefix } from "@robots-stream/verify";
import { type Random, createRandom } from "./random.ts";

/** Addresses of one family, each as four 32-bit words and as text. */
export interface ClientAddresses {
  readonly family: 4 | 6;
  readonly words: Uint32Array;
  readonly texts: readonly string[];
}

/** Share of the requests with the address of the previous request; share with the address of another of the last `recentCount` requests. */
const sameShare = 0.53;
const recentShare = 0.27;
/** Number of previous requests from which a repeated address is taken. */
const recentCount = 1_000;

/** A range file in Google's form with `each` prefixes per family. Half of the IPv4 prefixes are close together, as Googlebot's are. */
export function createRangeFile(each: number): string {
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

/**
 * The client addresses of a log's requests. The addresses repeat as in the public log of a real Apache server (3,000 requests by 581
 * clients): 53 % of the server's requests have the address of the previous request, 80 % an address of the previous 1,000 requests. Half of
 * the clients have an address inside a prefix; the others have a random public address.
 */
export function createLogAddresses(
  family: 4 | 6,
  prefixes: readonly Prefix[],
  { count, seed }: { readonly count: number; readonly seed: number },
): ClientAddresses {
  const random = createRandom(seed, `addresses of a log ${family}`);
  const own = prefixes.filter((prefix) => prefix.family === family);
  const words: Uint32Array[] = [];
  for (let at = 0; at < count; at++) {
    const chance = at === 0 ? 1 : random.next();
    const back = chance < sameShare ? 1 : chance < sameShare + recentShare ? 1 + random.below(recentCount) : 0;
    if (back > 0) words.push(words[Math.max(0, at - back)]!);
    else words.push(random.chance(0.5) ? wordsIn(random.pick(own), random) : publicWords(family, random));
  }
  return addressesOf(family, words);
}

/** Addresses without repetition: half in Googlebot's networks, inside and between the prefixes; the others anywhere. */
export function createSpreadAddresses(
  family: 4 | 6,
  { count, seed }: { readonly count: number; readonly seed: number },
): ClientAddresses {
  const random = createRandom(seed, `spread addresses ${family}`);
  const words = Array.from({ length: count }, () => {
    const isNear = random.chance(0.5);
    if (family === 4) return Uint32Array.of(0, 0, 0, isNear ? 0x42f94000 + random.below(8_192) : wordOf(random));
    const beginning = isNear
      ? [0x20014860, 0x48010000 + random.below(1_000)]
      : [0x20000000 + random.below(2 ** 29), wordOf(random)];
    return Uint32Array.of(...beginning, wordOf(random), wordOf(random));
  });
  return addressesOf(family, words);
}

const wordOf = (random: Random): number => random.below(2 ** 32);

/** A random address inside a prefix; for IPv6, one of the prefix's first 256 addresses, which Googlebot uses. */
function wordsIn({ family, words, length }: Prefix, random: Random): Uint32Array {
  const host = random.below(family === 4 ? 2 ** (32 - length) : 256);
  return Uint32Array.of(words[0], words[1], words[2], words[3] + host);
}

function publicWords(family: 4 | 6, random: Random): Uint32Array {
  if (family === 6) {
    return Uint32Array.of(0x20000000 + random.below(2 ** 29), wordOf(random), wordOf(random), wordOf(random));
  }
  for (;;) {
    const word = wordOf(random);
    const first = word >>> 24;
    if (first > 0 && first < 224 && first !== 10 && first !== 127) return Uint32Array.of(0, 0, 0, word);
  }
}

function addressesOf(family: 4 | 6, words: readonly Uint32Array[]): ClientAddresses {
  // The JSON round trip makes flat strings: V8 reads the characters of a concatenated string more slowly than the characters of a string
  // from a log.
  const texts = JSON.parse(JSON.stringify(words.map((each) => addressText(family, each)))) as string[];
  return { family, words: Uint32Array.from(words.flatMap((each) => [...each])), texts };
}
