// Tests the classes of status codes, and the words about answers.
import { expect, test } from "vitest";
import { type StatusClass, statusClassOf, statusClasses } from "../states/states.ts";
import { type Answers, answersTextOf, listedAnswersOf, noAnswers } from "./answers.ts";

test.each<[name: StatusClass, statuses: readonly number[]]>([
  ["served", [200, 204, 206, 299, 304]],
  ["redirected", [300, 301, 302, 303, 307, 308, 399]],
  ["not-found", [404, 410]],
  ["refused", [401, 402, 403, 407, 429, 444, 451]],
  ["failed", [500, 502, 503, 504, 599]],
  ["no-answer", [0, 100, 101, 103, 199, 499]],
  ["other", [1, 99, 400, 405, 406, 408, 418, 422, 460, 600, 999, 123_456]],
  ["not-known", [-1]],
])("%s", (name, statuses) => {
  for (const status of statuses) expect(statusClasses[statusClassOf(status)], String(status)).toBe(name);
});

const sums = (more: Partial<Answers>): Answers => ({ ...noAnswers(), ...more });

test.each<[answers: Partial<Answers>, text: string, listed: string]>([
  [{ served: 3 }, "", "3 served"],
  [{ refused: 1 }, "; the server refused it", "1 refused"],
  [{ refused: 2 }, "; the server refused all of them", "2 refused"],
  [{ "not-found": 1 }, "; the server had no file for it", "1 not found"],
  [{ "not-found": 2 }, "; the server had no file for any of them", "2 not found"],
  [
    { served: 1_000, refused: 12, "not-found": 3 },
    "; the server refused 12 and had no file for 3",
    "1,000 served, 3 not found, 12 refused",
  ],
  [
    { redirected: 1, failed: 2, "no-answer": 3, other: 4 },
    "; the server redirected 1, failed to answer 2 and logged no answer to 3",
    "1 redirected, 2 failed, 3 no answer, 4 other",
  ],
  [{ "no-answer": 2 }, "; the server logged no answer to any of them", "2 no answer"],
  [{ failed: 2 }, "; the server failed to answer any of them", "2 failed"],
  [{ other: 2 }, "", "2 other"],
  [{ "not-known": 9 }, "", ""],
])("%o", (answers, text, listed) => {
  expect(answersTextOf(sums(answers))).toBe(text);
  expect(listedAnswersOf(sums(answers))).toBe(listed);
});
