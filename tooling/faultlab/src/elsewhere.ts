// All rows of the fault matrix that tests outside the lab cover: how robots-stream handles each fault, and the files that test it.
import { elsewhereData } from "./elsewhere-data.ts";
import type { RowElsewhere } from "./row-elsewhere.ts";

const app = "apps/robots-stream";
const fetch = "packages/fetch";

export const elsewhere: readonly RowElsewhere[] = [
  ...elsewhereData,
  {
    id: 60,
    title: "Proxies, and a proxy that is down",
    does: "Used if `--proxy` or the environment names one. If the proxy is down, the failure is not stored for the origin.",
    tests: [`${fetch}/src/proxy.test.ts`, `${app}/test/asking.test.ts`],
  },
  {
    id: 61,
    title: "The network fails in the middle of a run",
    does: "After 100 consecutive origins that no packet reaches, the run ends with exit code 3.",
    tests: [`${app}/test/gone.test.ts`],
  },
  {
    id: 62,
    title: "FTP servers that refuse, stall or redirect the data connection",
    does: "The reply 550 for the file means unavailable; any other failure means unreachable. A data connection goes only to the control connection's address and a port above 1023.",
    tests: [`${fetch}/src/ftp.test.ts`, `${fetch}/src/ftp-passive.test.ts`, `${fetch}/test/vsftpd.test.ts`],
  },
  {
    id: 90,
    title: "Credentials and tokens in URLs",
    does: "Kept unchanged in the records; never sent, stored or printed in messages.",
    tests: [`${app}/test/secrets.test.ts`, `${fetch}/src/http.test.ts`],
  },
  {
    id: 91,
    title: "The cache's disk or server becomes full or read-only",
    does: "A warning. The cache is still read, but no longer written; acknowledged entries are kept.",
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
    does: "Two writers are killed 200 times (20 times in `npm test`). Every acknowledged row is present, and the file is intact.",
    tests: [`${fetch}/test/sqlite-kill.test.ts`],
  },
  {
    id: 93,
    title: "Files and claims left behind by a killed process",
    does: "Temporary files have no name while in use, so none is left. An incomplete checkpoint is replaced. The next process recovers and removes SQLite's log. Claims in Redis expire. A process waits neither for a claim that is no longer renewed nor for a key that never expires, which is not a claim.",
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
    does: "Writes take turns without blocking either process; both decide, and every fetched entry is present.",
    tests: [`${app}/test/cache.test.ts`, `${fetch}/src/stores/sqlite.test.ts`],
  },
  {
    id: 95,
    title:
      "A cache that is damaged, truncated, replaced while in use, of another version, of another user, a link, a folder",
    does: "A warning, and a run without the cache. From a damaged file or value, only the entry that was set last is returned, or nothing.",
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
    title: "A cache that is read-only, or whose location is unknown",
    does: "A warning, and a run without the cache.",
    tests: [`${fetch}/src/stores/sqlite.test.ts`, `${app}/test/cache.test.ts`],
  },
  {
    id: 97,
    title: "kill -9 in the middle of a run, at any write, sync or rename; a failed write of the cache",
    does: "`--resume` continues a run with `--checkpoint`, and the output is byte for byte that of an uninterrupted run. The cache holds every entry committed before, intact and in order.",
    tests: [
      `${app}/test/resume.test.ts`,
      `${app}/test/resume-modes.test.ts`,
      `${app}/test/resume-refusals.test.ts`,
      `${fetch}/src/stores/sqlite.test.ts`,
    ],
  },
  {
    id: 98,
    title: "The system clock is changed during a run",
    does: "Deadlines, retries, claims and checkpoints do not depend on the clock. An entry from the future is not fresh; an outage begins no later than now.",
    tests: [
      `${app}/test/clock.test.ts`,
      `${fetch}/src/freshness.test.ts`,
      `${fetch}/src/outage.test.ts`,
      `${fetch}/test/revalidation.test.ts`,
    ],
  },
  {
    id: 99,
    title: "Just before and after each time limit of a policy (12 hours, 24 hours, 30 days); contradictory headers",
    does: "As the policy defines, to the second. Only Cache-Control changes the freshness, between 5 minutes and 24 hours. No entry is fresh for longer, even if its own data claims so.",
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
    does: "The 404 replaces the file: the outage falls back to the 404.",
    tests: [`${fetch}/src/client.test.ts`],
  },
  {
    id: 101,
    title: "An outage with and without an earlier copy, under each policy",
    does: "As the policy's table defines.",
    tests: [`${fetch}/src/policy.test.ts`, `${fetch}/src/client.test.ts`],
  },
  {
    id: 102,
    title: "A redirect to another origin, the same host over http and https",
    does: "A response is stored for the requested origin, and for no other.",
    tests: [`${app}/test/cache.test.ts`],
  },
  {
    id: 103,
    title: "A cache that keeps growing",
    does: "Never larger than its limit, its log included; the oldest fetches are evicted first.",
    tests: [`${fetch}/src/stores/sqlite.test.ts`],
  },
  {
    id: 104,
    title: "SIGINT, SIGTERM, SIGHUP, and a second signal",
    does: "Reading stops and decided rows are written in whole lines. The run ends within two seconds, with exit code 130, 143 or 129; a second signal ends it at once.",
    tests: [`${app}/test/faults.test.ts`, `${app}/test/stops.test.ts`],
  },
  {
    id: 105,
    title: "Stopped and continued, or suspended",
    does: "The suspended time does not count: a response that arrived meanwhile is read.",
    tests: [`${app}/test/faults.test.ts`, `${fetch}/src/monotonic-timer.test.ts`],
  },
  {
    id: 106,
    title: "No file descriptors left",
    does: "Fewer concurrent exchanges, reported once, and no origin becomes unreachable because of it.",
    tests: [`${app}/test/shortage.test.ts`, `${fetch}/src/retry.test.ts`],
  },
  {
    id: 107,
    title: "A heap of 128 MB",
    does: "A million records are decided.",
    tests: [`${app}/test/bounds.test.ts`],
  },
  {
    id: 109,
    title: "An aborted load, a closed client",
    does: "The connection ends, nothing is stored, and no handle is left.",
    tests: [`${fetch}/src/client.test.ts`, `${fetch}/src/process.test.ts`],
  },
  {
    id: 111,
    title: "Other versions of Node",
    does: "The tests of url, logs and fetch run on the oldest and on the newest supported version. Those tests of the app and the engine that depend on Node run on the oldest.",
    tests: ["tooling/checks/src/check.ts"],
  },
];
