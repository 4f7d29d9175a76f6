// The rows of the fault matrix that are no servers: what we do, which test files show it.
import { elsewhereData } from "./elsewhere-data.ts";
import type { RowElsewhere } from "./row-elsewhere.ts";

const app = "apps/robots-stream";
const fetch = "packages/fetch";

export const elsewhere: readonly RowElsewhere[] = [
  ...elsewhereData,
  {
    id: 60,
    title: "Proxies, and one that is down",
    does: "Used when `--proxy` or the environment names one; one that is down says nothing about the origin.",
    tests: [`${fetch}/src/proxy.test.ts`, `${app}/test/asking.test.ts`],
  },
  {
    id: 61,
    title: "The network is gone in the middle of a run",
    does: "After 100 origins in a row that no packet reaches the run ends with exit code 3.",
    tests: [`${app}/test/gone.test.ts`],
  },
  {
    id: 62,
    title: "FTP servers that refuse, stall or send elsewhere",
    does: "550 for the file is unavailable, all else unreachable; the data connection goes to the control connection's address and a port above 1023, or there is none.",
    tests: [`${fetch}/src/ftp.test.ts`, `${fetch}/src/ftp-passive.test.ts`, `${fetch}/test/vsftpd.test.ts`],
  },
  {
    id: 90,
    title: "Credentials and tokens in URLs",
    does: "Kept in the records as they came; neither sent, nor stored, nor printed.",
    tests: [`${app}/test/secrets.test.ts`, `${fetch}/src/http.test.ts`],
  },
  {
    id: 91,
    title: "The disk with the cache, or the server with it, becomes full or read-only",
    does: "A warning; what is in the cache still answers, nothing is added; what was acknowledged stays.",
    tests: [
      `${app}/test/cache.test.ts`,
      `${app}/src/shell/cache/open.test.ts`,
      `${fetch}/src/stores/sqlite.test.ts`,
      `${fetch}/test/redis-faults.test.ts`,
    ],
  },
  {
    id: 92,
    title: "kill -9 while the cache is written",
    does: "Two writers, killed 200 times: every row that was acknowledged is there, and the file is sound.",
    tests: [`${fetch}/test/sqlite-kill.test.ts`],
  },
  {
    id: 93,
    title: "Files and claims that a killed process left behind",
    does: "Temporary files have no name while they are used, so none is left; a checkpoint half written is replaced; SQLite's log is read and taken away by the next one; claims on a server expire, and a key there that does not, or is no claim, is not waited for.",
    tests: [
      `${app}/test/faults.test.ts`,
      `${app}/test/resume.test.ts`,
      `${fetch}/test/sqlite-kill.test.ts`,
      `${fetch}/test/redis.test.ts`,
      `${fetch}/test/redis-faults.test.ts`,
      `${fetch}/src/stores/redis-claims.test.ts`,
    ],
  },
  {
    id: 94,
    title: "Two processes, one cache",
    does: "Writes take turns without blocking either; both decide, and all that was fetched is there.",
    tests: [`${app}/test/cache.test.ts`, `${fetch}/src/stores/sqlite.test.ts`],
  },
  {
    id: 95,
    title: "A cache that is damaged, cut, replaced while in use, of another version, another user's, a link, a folder",
    does: "A warning and a run without it; of broken files and values only what was set last is given, or nothing.",
    tests: [
      `${fetch}/src/stores/sqlite.test.ts`,
      `${fetch}/src/stores/damage.test.ts`,
      `${fetch}/src/stores/sqlite-replaced.test.ts`,
      `${app}/src/commands/cache/damage.test.ts`,
      `${app}/test/cache.test.ts`,
    ],
  },
  {
    id: 96,
    title: "A cache that is read-only, or has no place",
    does: "A warning and a run without it.",
    tests: [`${fetch}/src/stores/sqlite.test.ts`, `${app}/test/cache.test.ts`],
  },
  {
    id: 97,
    title:
      "kill -9 in the middle of a run, at any write, sync or rename; a write of the cache that does not come about",
    does: "With `--checkpoint`, `--resume` goes on, and the output is that of a run that nobody killed, byte for byte. Of the cache what was committed before is there, whole and in order.",
    tests: [
      `${app}/test/resume.test.ts`,
      `${app}/test/resume-modes.test.ts`,
      `${app}/test/resume-refusals.test.ts`,
      `${fetch}/src/stores/sqlite.test.ts`,
    ],
  },
  {
    id: 98,
    title: "A clock that is set",
    does: "Deadlines, retries, claims and checkpoints do not follow it. What came after now is not fresh, an outage begins no later than now.",
    tests: [
      `${app}/test/clock.test.ts`,
      `${fetch}/src/freshness.test.ts`,
      `${fetch}/src/outage.test.ts`,
      `${fetch}/test/revalidation.test.ts`,
    ],
  },
  {
    id: 99,
    title: "12 hours, 24 hours and 30 days, a second before and after; headers that say anything else",
    does: "As the policy says, to the second. Cache-Control moves it between 5 minutes and 24 hours, no other header does, and no entry is fresh for longer, whatever it says of itself.",
    tests: [
      `${fetch}/src/client.test.ts`,
      `${fetch}/src/policy.test.ts`,
      `${fetch}/test/revalidation.test.ts`,
      `${app}/src/shell/cache/reuse.test.ts`,
    ],
  },
  {
    id: 100,
    title: "A good file, then 404, then an outage",
    does: "The 404 replaces the file: the outage falls back to it.",
    tests: [`${fetch}/src/client.test.ts`],
  },
  {
    id: 101,
    title: "An outage with and without an earlier copy, under each policy",
    does: "As the policy's table says.",
    tests: [`${fetch}/src/policy.test.ts`, `${fetch}/src/client.test.ts`],
  },
  {
    id: 102,
    title: "A redirect to another origin, the same host over http and https",
    does: "An answer is kept for the origin that was asked, and for no other.",
    tests: [`${app}/test/cache.test.ts`],
  },
  {
    id: 103,
    title: "A cache that grows without end",
    does: "Never more than it may take, its log included; what was fetched longest ago goes first.",
    tests: [`${fetch}/src/stores/sqlite.test.ts`],
  },
  {
    id: 104,
    title: "SIGINT, SIGTERM, SIGHUP, and a second one",
    does: "Reading stops, decided rows are written in whole lines, exit code 130, 143 or 129, within two seconds; a second signal ends at once.",
    tests: [`${app}/test/faults.test.ts`, `${app}/test/stops.test.ts`],
  },
  {
    id: 105,
    title: "Stopped and continued, or asleep",
    does: "The time asleep does not count: an answer that came meanwhile is read.",
    tests: [`${app}/test/faults.test.ts`, `${fetch}/src/stalls.test.ts`],
  },
  {
    id: 106,
    title: "No file descriptors left",
    does: "Fewer exchanges at once, told once, and no origin called unreachable for it.",
    tests: [`${app}/test/shortage.test.ts`, `${fetch}/src/retry.test.ts`],
  },
  {
    id: 107,
    title: "A heap of 128 MB",
    does: "A million records pass.",
    tests: [`${app}/test/bounds.test.ts`],
  },
  {
    id: 109,
    title: "A load that is given up, a client that is closed",
    does: "Its connection ends, nothing is stored, no handle is left.",
    tests: [`${fetch}/src/client.test.ts`, `${fetch}/src/process.test.ts`],
  },
  {
    id: 111,
    title: "Other versions of Node",
    does: "The tests of url and fetch run on the oldest and the newest that are supported, those of the app that hang on Node itself on the oldest.",
    tests: ["tooling/checks/src/check.ts"],
  },
];
