// Returns the entry that a writer writes under a number: the same entry for the same name and number.
import type { StoredRobots } from "@robots-stream/fetch";

/** Origins repeat, so that rows have histories. Bodies repeat too, and some are large. */
export function writtenEntry(writer: string, number: number): StoredRobots {
  const origin = `https://${writer}${number % 50}.example`;
  const size = number % 23 === 0 ? 60_000 : 500 + (number % 7) * 100;
  return {
    origin,
    fetchedAt: number,
    freshUntil: number + 1,
    access: "successful",
    code: "ok",
    status: 200,
    body: Buffer.from(`User-agent: ${number % 3}\n`.repeat(Math.ceil(size / 15))),
    headers: { etag: `"${number}"` },
    hops: [{ url: `${origin}/robots.txt`, status: 200 }],
  };
}
