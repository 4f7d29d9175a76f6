// Tests the history of robots.txt files: which versions may have been in force, when observations are known to the second or to the day.
import { expect, test } from "vitest";
import { createHistory } from "./history.ts";
import { type Observation, secondsPerDay as day } from "./types.ts";

const origin = "https://shop.example";
const hour = 3_600;

/** An observation: its version (`-` for an outage), and the day it was made in; with an hour if its time is known. */
function seen(version: string, onDay: number, atHour?: number): Observation {
  const from = onDay * day + (atHour ?? 0) * hour;
  const time = { atSeconds: from, toSeconds: atHour === undefined ? from + day - 1 : from };
  return version === "-"
    ? { origin, ...time, access: "unreachable" }
    : { origin, ...time, access: "successful", sha256: version };
}

/** The versions of a request at a day and hour; with "?" where the history does not prove them. */
function versionsAt(observations: readonly Observation[], onDay: number, atHour: number): string {
  const window = createHistory(observations)
    .of(origin)!
    .windowAt(onDay * day + atHour * hour, "rfc9309");
  return window.versions.join(" ") + (window.proven ? "" : "?");
}

test.each<[string, readonly Observation[], number, number, string]>([
  ["a change on a day, seen on this day", [seen("a", 0), seen("b", 2), seen("b", 9)], 3, 6, "a b"],
  ["a request of the day itself", [seen("a", 0), seen("b", 2), seen("b", 9)], 2, 12, "a b"],
  ["the first day proves nothing within it", [seen("b", 2), seen("b", 9)], 3, 6, "b?"],
  ["after the first day and a day to hold it", [seen("b", 2), seen("b", 9)], 4, 6, "b"],
  ["the last day proves nothing within it", [seen("b", 2), seen("b", 9)], 9, 6, "b?"],
  ["before the last day", [seen("b", 2), seen("b", 9)], 8, 23, "b"],
  ["a known time on the first day", [seen("b", 2, 1), seen("b", 9)], 3, 6, "b"],
  ["a day between two others", [seen("b", 2), seen("b", 5), seen("b", 9)], 5, 12, "b"],
  ["another version at an unknown time of a day", [seen("b", 2), seen("a", 5), seen("b", 9)], 5, 12, "a b"],
  [
    "two files of one day, one without a time",
    [seen("a", 0), seen("b", 2), seen("a", 2, 12), seen("a", 9)],
    3,
    18,
    "b a",
  ],
  ["a day after both", [seen("a", 0), seen("b", 2), seen("a", 2, 12), seen("a", 3, 0), seen("a", 9)], 4, 6, "a"],
  ["an outage on a day", [seen("a", 0), seen("-", 2), seen("b", 4)], 2, 12, "a b"],
  [
    "30 days, counted from the beginning of the first day to the end of the last",
    [seen("b", 0), seen("b", 30)],
    12,
    0,
    "b?",
  ],
  ["29 days", [seen("b", 0), seen("b", 29)], 12, 0, "b"],
  [
    "days that are far from each other, but not from the day between",
    [seen("b", 0), seen("b", 20), seen("b", 40)],
    20,
    12,
    "b",
  ],
  ["two files of one second", [seen("a", 0, 1), seen("b", 0, 1), seen("b", 9)], 4, 0, "a b"],
  [
    "a copy for 30 days, and the 24 hours after them",
    [seen("a", 0, 0), seen("-", 1, 0), seen("-", 40, 0)],
    30,
    12,
    "a?",
  ],
  [
    "an outage after a change: a crawler may have only the file before",
    [seen("a", 0, 0), seen("b", 2, 0), seen("-", 6, 0), seen("b", 9, 0)],
    5,
    0,
    "a b",
  ],
  ["the same for 30 days", [seen("a", 0, 0), seen("b", 2, 0), seen("b", 31, 0), seen("-", 35, 0)], 34, 0, "b"],
  ["no copy any more", [seen("a", 0, 0), seen("-", 1, 0), seen("-", 40, 0)], 31, 1, "?"],
  ["an outage without a copy, beside another version", [seen("-", 0, 0), seen("b", 1, 0), seen("b", 8, 0)], 1, 6, "b?"],
  ["the day after an outage without a copy", [seen("-", 1, 0), seen("b", 2), seen("b", 9, 0)], 3, 6, "b?"],
  ["the second day after it", [seen("-", 1, 0), seen("b", 2), seen("b", 9, 0)], 4, 6, "b"],
  ["a copy too old, on the day after it", [seen("a", 0, 0), seen("-", 29, 0), seen("b", 33)], 33, 12, "b?"],
  [
    "an outage on a day with two files, of which either may be the copy",
    [seen("b", 1), seen("a", 1, 1), seen("-", 1, 14), seen("b", 9, 0)],
    3,
    12,
    "a b",
  ],
  ["known times", [seen("a", 0, 0), seen("b", 2, 0), seen("b", 9, 0)], 3, 1, "b"],
])("%s", (_name, observations, onDay, atHour, expected) => {
  expect(versionsAt(observations, onDay, atHour)).toBe(expected);
  expect(versionsAt(observations.toReversed(), onDay, atHour)).toBe(expected);
});

test("nothing is proven in an outage of a file that differs at each request; its windows stay small", () => {
  const hourly = Array.from({ length: 24 * 90 }, (_, at): Observation => {
    const time = { origin, atSeconds: at * hour };
    return at % 10 === 1
      ? { ...time, access: "unreachable" }
      : { ...time, access: "successful", sha256: at.toString(16) };
  });
  const history = createHistory(hourly).of(origin)!;
  const window = history.windowAt(60 * day, "google");
  expect([window.proven, window.versions.length < 40]).toEqual([false, true]);
});

test("a window names the interval of each version under its own policy", () => {
  const answers: Observation = {
    origin,
    atSeconds: 5 * day,
    access: { google: "unreachable", rfc9309: "unreachable", yandex: "unavailable" },
  };
  const history = createHistory([seen("a", 1, 0), answers, seen("a", 8, 0), seen("b", 12, 0)]).of(origin)!;
  const firstSeen = (policy: "google" | "yandex", onDay: number): readonly (number | null)[] =>
    history.windowAt(onDay * day, policy).intervals.map((interval) => history.intervals[interval]!.fromSeconds);
  expect(firstSeen("google", 10)).toEqual([day, 12 * day]);
  expect(firstSeen("yandex", 10)).toEqual([8 * day, 12 * day]);
  expect(firstSeen("google", 6)).toEqual([day]);
});

test("a fetch certainly returned a version if no other may have been in force, or is assumed to be", () => {
  const history = createHistory([seen("a", 0, 0), seen("b", 8, 0), seen("b", 11, 0), seen("-", 20, 0)]).of(origin)!;
  const fetched = (onDay: number): string | undefined =>
    history.intervals[history.fetchedAt(onDay * day, "google")]?.version;
  expect([-1, 4, 8, 9, 15, 21].map(fetched)).toEqual(["a", undefined, undefined, "b", undefined, undefined]);
  const lasting = createHistory([seen("b", 8, 0), seen("a", 11)]).of(origin)!;
  expect([7, 8.5, 11, 12, 13].map((at) => lasting.fetchedAt(at * day, "google"))).toEqual([0, -1, -1, -1, 1]);
});

/** A random whole number below `below`; the numbers of a seed are always the same. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What may have been in force at a second, from the definitions alone; every order of the observations is considered. */
function slowlyAt(observations: readonly Observation[], second: number): { versions: string[]; proven: boolean } {
  const sights = observations.map(({ atSeconds = 0, toSeconds = atSeconds, sha256 }) => ({
    from: atSeconds,
    to: toSeconds,
    sha256,
  }));
  const exact = sights.filter(({ from, to }) => from === second && to === second);
  const before = sights.filter(({ to }) => to < second);
  const after = sights.filter(({ from }) => from > second);
  const around = sights.filter(({ from, to }) => from <= second && to >= second);
  const lastOf = (list: typeof sights): typeof sights => list.filter((one) => !list.some(({ from }) => from > one.to));
  const firstOf = (list: typeof sights): typeof sights => list.filter((one) => !list.some(({ to }) => to < one.from));
  const possible = exact.length > 0 ? exact : [...lastOf(before), ...around, ...firstOf(after)];
  const isClose = (one: (typeof sights)[number], other: (typeof sights)[number]): boolean =>
    other.to - one.from <= 30 * day;
  const isNear = before.some((one) => after.some((other) => isClose(one, other)));
  const isNearBoth = around.some(
    (middle) => before.some((one) => isClose(one, middle)) && after.some((other) => isClose(middle, other)),
  );
  const bases = exact.length > 0 ? exact : lastOf(before);
  const isOutage = bases.some(({ sha256 }) => sha256 === undefined);
  const good = (list: typeof sights): string[] => list.flatMap(({ sha256 }) => sha256 ?? []);
  const proven = exact.length > 0 || isNear || isNearBoth;
  const seenBefore = lastOf(before.filter(({ sha256 }) => sha256 !== undefined));
  const mayBeOutage = isOutage || possible.some(({ sha256 }) => sha256 === undefined);
  const older = before.filter((one) => {
    const later = sights.filter(({ from, sha256 }) => from > one.to && sha256 !== undefined);
    const isUsed = second <= Math.min(...later.map(({ to }) => to)) + 30 * day;
    return mayBeOutage && isUsed && !seenBefore.includes(one);
  });
  if (!isOutage) return { versions: good([...older, ...possible]), proven };
  const copies = [...seenBefore, ...around].filter(({ to }) => second <= to + 30 * day);
  const isCertain = seenBefore.some(({ from }) => second <= from + 30 * day);
  return { versions: good([...older, ...copies, ...possible]), proven: proven && isCertain };
}

test("every window agrees with a slow computation from the definitions", () => {
  const random = randomOf(7);
  let compared = 0;
  for (let run = 0; run < (process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? 20 : 3_000); run++) {
    const observations = Array.from({ length: 1 + random(9) }, () =>
      seen("aab-"[random(4)]!, random(70), random(3) === 0 ? undefined : random(4) * 6),
    );
    const history = createHistory(observations).of(origin)!;
    for (let second = -2 * day; second < 75 * day; second += 6 * hour + 1_234) {
      const edges = new Set([second - day - 300, second + 300]);
      for (const { atSeconds = 0, toSeconds = atSeconds } of observations) {
        for (const edge of [
          atSeconds - 1,
          atSeconds,
          atSeconds + 1,
          toSeconds,
          toSeconds + 1,
          atSeconds + 30 * day,
          toSeconds + 30 * day + 1,
        ]) {
          for (const near of [edge, edge + 1]) if (near > second - day - 300 && near < second + 300) edges.add(near);
        }
      }
      const moments = [...edges].map((each) => slowlyAt(observations, each));
      const versions = [...new Set(moments.flatMap((moment) => moment.versions))].toSorted();
      const window = history.windowAt(second, "google");
      const proven = versions.length > 0 && moments.every((moment) => moment.proven);
      const actual = `${window.versions.toSorted().join()} ${window.proven}`;
      if (actual !== `${versions.join()} ${proven}`)
        expect.fail(JSON.stringify({ observations, second, actual, versions, proven }));
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(5_000);
});
