// The window, or the error message, for values of --since and --until.
import { expect, test } from "vitest";
import { windowOf } from "./time-window.ts";

const now = Date.parse("2025-12-10T12:00:00Z");
const windowFor = (values: Partial<Record<"since" | "until", string>>): ReturnType<typeof windowOf> =>
  windowOf(new Map(Object.entries(values).map(([name, value]) => [name, [value]])), () => now);

test.each<
  [values: Partial<Record<"since" | "until", string>>, since: string | null, until: string | null, isRelative: boolean]
>([
  [{ since: "2025-12-01" }, "2025-12-01T00:00:00.000Z", null, false],
  [{ until: "2025-12-01T08:00+01:00" }, null, "2025-12-01T07:00:00.000Z", false],
  [{ since: "24h", until: "90m" }, "2025-12-09T12:00:00.000Z", "2025-12-10T10:30:00.000Z", true],
  [{ since: "7d" }, "2025-12-03T12:00:00.000Z", null, true],
])("%j", (values, since, until, isRelative) => {
  const { sinceMs, untilMs, ...rest } = windowFor(values)!;
  const shown = (ms: number): string | null => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);
  expect([shown(sinceMs), shown(untilMs), rest.isRelative]).toEqual([since, until, isRelative]);
});

test("no flags, no window", () => expect(windowFor({})).toBeUndefined());

test("an empty window: only if --until is a date, a hint says that the date excludes its day", () => {
  const oneDay = { since: "2025-12-10", until: "2025-12-10" };
  const excludes = expect.stringMatching(/^a date in --until excludes its day/);
  expect(() => windowFor(oneDay)).toThrow(expect.objectContaining({ hint: excludes }));
  expect(() => windowFor({ since: "1h", until: "2h" })).toThrow(expect.objectContaining({ hint: undefined }));
});

test.each<[values: Partial<Record<"since" | "until", string>>, message: RegExp]>([
  [{ since: "yesterday" }, /^--since yesterday: must be a date, a time, or how long ago$/],
  [{ until: "2025" }, /^--until 2025: must be/],
  [{ since: "2025-02-30" }, /^--since 2025-02-30: must be/],
  [{ since: "" }, /^--since : must be/],
  [{ since: "1h", until: "2h" }, /no time is between them/],
  [{ since: "2025-12-10", until: "2025-12-10" }, /no time is between them/],
])("%j is refused", (values, message) => expect(() => windowFor(values)).toThrow(message));
