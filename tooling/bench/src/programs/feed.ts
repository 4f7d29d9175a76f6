// Generates NDJSON records on stdout as fast as the reader takes them. Its argument sets the number of records, the number of origins, and
// the origins' names.
import { writeSync } from "node:fs";
import { createRandom } from "../data/random.ts";
import { createTarget, hostOf } from "../data/urls.ts";

/** The program's only argument, as JSON. */
export interface Feed {
  readonly records: number;
  readonly origins: number;
  /** The port of the origins on loopback; without a port the origins must not be requested. */
  readonly port?: string;
  /** Every `deadEach`-th origin has a name for which the server never answers; 0: none. With `onlyDead`, there are no other origins. */
  readonly deadEach?: number;
  readonly onlyDead?: boolean;
  readonly seed: number;
}

const { records, origins, port, deadEach = 0, onlyDead = false, seed } = JSON.parse(process.argv[2]!) as Feed;
const random = createRandom(seed, "feed");
const targets = Array.from({ length: Math.min(records, 20_000) }, () => createTarget(random));
/** Every `step`-th record takes the next origin, so that each origin occurs; the other records are distributed as in logs. */
const step = Math.max(1, Math.floor(records / origins));

function originOf(number: number): string {
  if (port === undefined) return `https://${hostOf(number)}`;
  return `http://${deadEach > 0 && number % deadEach === 0 ? "dead-" : ""}n${number}.localhost:${port}`;
}

/** The origin number of a record. Consecutive origins are a prime number apart, so that similar origins are not adjacent. */
function numberAt(record: number): number {
  const number = record % step === 0 ? ((record / step) * 7_919) % origins : Math.floor(random.next() ** 2 * origins);
  return onlyDead ? number - (number % deadEach) : number;
}

/** Writes to stdout; waits while the pipe is full. */
function write(text: string): void {
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

let text = "";
for (let record = 0; record < records; record++) {
  text += `{"url":"${originOf(numberAt(record))}${random.pick(targets)}"}\n`;
  if (text.length > 65_536) {
    write(text);
    text = "";
  }
}
write(text);
