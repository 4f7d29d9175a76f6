// A short robots.txt ↔ bits: literals, phrases and references back (as in RFC 1951 §3.2.5), in prefix codes that are agreed upon.
import { distanceBits, phrases, symbolBits } from "./short-codes.ts";

// Deflate makes tables for every file, and tells them: for most robots.txt that is half of its work and a tenth of its bytes.

/** What is longer gains from codes of its own. */
export const mostShortBytes = 8_192;

/** The first three bits, which no deflated bytes have: their type of block would be the reserved one. */
const mark = 0b111;
const markBits = 3;

const firstLength = 256;
const lengthCodes = 24;
const firstPhrase = firstLength + lengthCodes;
const minMatch = 4;

/** No code is longer: what is looked up to read one. */
const mostBits = 12;
const codeMask = (1 << mostBits) - 1;

/** Prefix codes, in the order in which their bits are written: `code << 4 | bits` of each symbol. */
function codesOf(lengths: readonly number[]): Int32Array<ArrayBuffer> {
  const codes = new Int32Array(lengths.length);
  let next = 0;
  for (let bits = 1; bits <= mostBits; bits++, next <<= 1) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== bits) continue;
      let reversed = 0;
      for (let at = 0; at < bits; at++) reversed |= ((next >> at) & 1) << (bits - 1 - at);
      codes[symbol] = (reversed << 4) | bits;
      next++;
    }
  }
  return codes;
}

/** `symbol << 4 | bits` of the code that the next bits begin with. */
function lookupOf(codes: Int32Array): Uint16Array<ArrayBuffer> {
  const lookup = new Uint16Array(1 << mostBits);
  codes.forEach((code, symbol) => {
    const bits = code & 15;
    for (let at = code >> 4; at <= codeMask; at += 1 << bits) lookup[at] = (symbol << 4) | bits;
  });
  return lookup;
}

/** Bits that follow the code of a length, and the shortest length that has it. */
const lengthExtra = Int32Array.from({ length: lengthCodes }, (_, code) => (code < 8 ? 0 : (code >> 2) - 1));
const lengthBase = basesOf(lengthExtra, minMatch);
const maxMatch = lengthBase.at(-1)! + (1 << lengthExtra.at(-1)!) - 1;
const distanceExtra = Int32Array.from({ length: distanceBits.length }, (_, code) => (code < 4 ? 0 : (code >> 1) - 1));
const distanceBase = basesOf(distanceExtra, 1);

function basesOf(extra: Int32Array, first: number): Int32Array<ArrayBuffer> {
  let next = first;
  return Int32Array.from(extra, (bits) => (next += 1 << bits) - (1 << bits));
}

const codes = codesOf(symbolBits);
const distanceCodes = codesOf(distanceBits);
const lookup = lookupOf(codes);
const distanceLookup = lookupOf(distanceCodes);

/** Code and extra bits of every length: `bits << 5 | how many`. */
const lengthTokens = new Int32Array(maxMatch + 1);
for (let code = 0; code < lengthCodes; code++) {
  const token = codes[firstLength + code]!;
  const bits = token & 15;
  for (let extra = 0; extra < 1 << lengthExtra[code]!; extra++) {
    lengthTokens[lengthBase[code]! + extra] = (((extra << bits) | (token >> 4)) << 5) | (bits + lengthExtra[code]!);
  }
}

const phraseBytes = Buffer.from(phrases.join(""), "latin1");
const phraseStarts = new Int32Array(phrases.length);
const phraseEnds = new Int32Array(phrases.length);
phrases.forEach(({ length }, at) => {
  phraseStarts[at] = at === 0 ? 0 : phraseEnds[at - 1]!;
  phraseEnds[at] = phraseStarts[at] + length;
});

// What is packed is copied here: four octets of it are read at once.
const text = new Uint8Array(mostShortBytes + 4);
const words = new DataView(text.buffer);
// A token has fewer than 48 bits.
const packed = Buffer.alloc(mostShortBytes + 8);

const hashBits = 12;
const hashOf = (word: number): number => Math.imul(word, 0x9e37_79b1) >>> (32 - hashBits);
/** The last place of the text that begins with such a word, and one; 0 for none. */
const places = new Uint16Array(1 << hashBits);
/** The longest phrase that begins with such a word, and one; the next one with the same hash. */
const firstPhrases = new Uint16Array(1 << hashBits);
const nextPhrases = new Uint16Array(phrases.length);
const phraseWords = new Int32Array(phrases.length);
for (const at of [...phrases.keys()].toSorted((a, b) => phrases[a]!.length - phrases[b]!.length)) {
  const word = phraseBytes.readInt32LE(phraseEnds[at]! - phrases[at]!.length);
  const hash = hashOf(word);
  phraseWords[at] = word;
  nextPhrases[at] = firstPhrases[hash]!;
  firstPhrases[hash] = at + 1;
}

/** The phrase that stands at `at`; -1 for none. */
function phraseAt(at: number, end: number, word: number, hash: number): number {
  for (let next = firstPhrases[hash]!; next !== 0; next = nextPhrases[next - 1]!) {
    const phrase = next - 1;
    if (phraseWords[phrase] !== word) continue;
    const phraseEnd = phraseEnds[phrase]!;
    const phraseStart = phraseStarts[phrase]!;
    if (at + phraseEnd - phraseStart > end) continue;
    let from = phraseStart + minMatch;
    for (let to = at + minMatch; from < phraseEnd && phraseBytes[from] === text[to]; to++) from++;
    if (from === phraseEnd) return phrase;
  }
  return -1;
}

/** The packed bytes, fewer than `limit`; undefined when they are not. `bytes` are `mostShortBytes` at most. */
export function packShort(bytes: Uint8Array, limit: number): Buffer | undefined {
  const end = bytes.byteLength;
  text.set(bytes);
  places.fill(0);
  let bits = mark;
  let count = markBits;
  let to = 0;
  let at = 0;
  const lastWord = end - minMatch;
  while (at < end) {
    if (to >= limit) return undefined;
    let length = 1;
    if (at <= lastWord) {
      const word = words.getInt32(at, true);
      const hash = hashOf(word);
      const place = places[hash]! - 1;
      places[hash] = at + 1;
      let match = 0;
      if (place >= 0 && words.getInt32(place, true) === word) {
        const most = Math.min(maxMatch, end - at);
        match = minMatch;
        while (match < most && text[place + match] === text[at + match]) match++;
      }
      const phrase = phraseAt(at, end, word, hash);
      const phraseLength = phrase < 0 ? 0 : phraseEnds[phrase]! - phraseStarts[phrase]!;
      // A reference takes about as many bits as a phrase and three or four literals.
      if (phrase >= 0 && match < phraseLength + 3) {
        length = phraseLength;
        const code = codes[firstPhrase + phrase]!;
        bits |= (code >> 4) << count;
        count += code & 15;
      } else if (match > 0) {
        length = match;
        const token = lengthTokens[match]!;
        bits |= (token >> 5) << count;
        count += token & 31;
        while (count >= 8) {
          packed[to++] = bits;
          bits >>>= 8;
          count -= 8;
        }
        const before = at - place - 1;
        // Two codes for each power of two.
        const log = 31 - Math.clz32(before);
        const symbol = before < 4 ? before : 2 * log + ((before >> (log - 1)) & 1);
        const code = distanceCodes[symbol]!;
        const codeBits = code & 15;
        bits |= ((code >> 4) | ((before + 1 - distanceBase[symbol]!) << codeBits)) << count;
        count += codeBits + distanceExtra[symbol]!;
      } else {
        const code = codes[text[at]!]!;
        bits |= (code >> 4) << count;
        count += code & 15;
      }
      if (length > 1 && at + length <= end - minMatch) {
        // The second place and the last one: all of them would save one byte in a hundred, and take a fifth of the time.
        places[hashOf(words.getInt32(at + 1, true))] = at + 2;
        places[hashOf(words.getInt32(at + length - 1, true))] = at + length;
      }
    } else {
      const code = codes[text[at]!]!;
      bits |= (code >> 4) << count;
      count += code & 15;
    }
    at += length;
    if (count >= 16) {
      packed[to++] = bits;
      packed[to++] = bits >>> 8;
      bits >>>= 16;
      count -= 16;
    }
  }
  for (; count > 0; count -= 8, bits >>>= 8) packed[to++] = bits;
  return to < limit ? Buffer.from(packed.subarray(0, to)) : undefined;
}

/** Whether such bytes are `packShort`'s, and not deflate's. */
export function isShortPacked(bytes: Uint8Array): boolean {
  return (bytes[0]! & mark) === mark;
}

/** The next sixteen bits; zeros behind the end: whoever needs those is found at last. */
function pairAt(bytes: Uint8Array, at: number, end: number): number {
  if (at + 1 < end) return bytes[at]! | (bytes[at + 1]! << 8);
  return at < end ? bytes[at]! : 0;
}

/** The `size` bytes that were packed; undefined for what `packShort` cannot have made. Total, in linear time. */
export function unpackShort(bytes: Uint8Array, size: number): Uint8Array | undefined {
  const end = bytes.byteLength;
  const out = Buffer.allocUnsafe(size);
  let bits = bytes[0]! >> markBits;
  let count = 8 - markBits;
  let from = 1;
  let to = 0;
  while (to < size) {
    if (count < mostBits) {
      bits |= pairAt(bytes, from, end) << count;
      from += 2;
      count += 16;
    }
    const entry = lookup[bits & codeMask]!;
    bits >>>= entry & 15;
    count -= entry & 15;
    const symbol = entry >> 4;
    if (symbol < firstLength) {
      out[to++] = symbol;
      if (count < mostBits || to === size) continue;
      // Another one, as most often: there are bits enough to know.
      const second = lookup[bits & codeMask]!;
      if (second >= firstLength << 4) continue;
      out[to++] = second >> 4;
      bits >>>= second & 15;
      count -= second & 15;
      continue;
    }
    if (symbol >= firstPhrase) {
      const phrase = symbol - firstPhrase;
      const phraseEnd = phraseEnds[phrase]!;
      let at = phraseStarts[phrase]!;
      if (to + phraseEnd - at > size) return undefined;
      while (at < phraseEnd) out[to++] = phraseBytes[at++]!;
      continue;
    }
    if (count < mostBits) {
      bits |= pairAt(bytes, from, end) << count;
      from += 2;
      count += 16;
    }
    const lengthCode = symbol - firstLength;
    const lengthMore = lengthExtra[lengthCode]!;
    const length = lengthBase[lengthCode]! + (bits & ((1 << lengthMore) - 1));
    bits >>>= lengthMore;
    count -= lengthMore;
    if (count < mostBits) {
      bits |= pairAt(bytes, from, end) << count;
      from += 2;
      count += 16;
    }
    const distanceEntry = distanceLookup[bits & codeMask]!;
    bits >>>= distanceEntry & 15;
    count -= distanceEntry & 15;
    if (count < mostBits) {
      bits |= pairAt(bytes, from, end) << count;
      from += 2;
      count += 16;
    }
    const distanceCode = distanceEntry >> 4;
    const distanceMore = distanceExtra[distanceCode]!;
    const distance = distanceBase[distanceCode]! + (bits & ((1 << distanceMore) - 1));
    bits >>>= distanceMore;
    count -= distanceMore;
    if (distance > to || to + length > size) return undefined;
    for (const stop = to + length; to < stop; to++) out[to] = out[to - distance]!;
  }
  // All of the bytes were needed, and none behind them.
  return from - (count >> 3) === end ? out : undefined;
}
