// Sums requests by the class of the server's answer, and makes the words about these sums.
import { type StatusClass, largestStatus, statusClasses } from "../states/states.ts";
import { countTextOf, listTextOf } from "./numbers.ts";

/** Numbers of requests by the class of their answers. */
export type Answers = Readonly<Record<StatusClass, number>>;

/** Numbers of requests to which `addAnswers` adds. */
export type AnswerSums = Record<StatusClass, number>;

/** Sums without a request. */
export function noAnswers(): AnswerSums {
  return Object.fromEntries(statusClasses.map((name) => [name, 0])) as AnswerSums;
}

/** What a server did with requests that it did not serve. The texts are followed by a number, or by "it" or "all of them". */
const verbs: readonly (readonly [name: StatusClass, verb: string, ofAll?: string])[] = [
  ["refused", "refused"],
  ["not-found", "had no file for", "had no file for any of them"],
  ["redirected", "redirected"],
  ["failed", "failed to answer", "failed to answer any of them"],
  // The client may have closed the connection (499), so this is about the log.
  ["no-answer", "logged no answer to", "logged no answer to any of them"],
];

/** The name of a class in words, such as "not found". */
export function wordsOf(name: StatusClass): string {
  return name.replace("-", " ");
}

/** A number of requests with one status. */
export interface StatusSum {
  readonly status: number;
  readonly requests: number;
}

/** The requests by status, most requests first. */
export function statusSumsOf(byStatus: ReadonlyMap<number, number>): readonly StatusSum[] {
  return [...byStatus]
    .map(([status, requests]) => ({ status, requests }))
    .toSorted((one, other) => other.requests - one.requests || one.status - other.status);
}

const unusualStatuses: Readonly<Record<number, string>> = { [-1]: "not known", 0: "none", [largestStatus]: "other" };

/** The requests by status in words, the first `most` of them: "200: 3,021, 304: 12". */
export function statusListOf(statuses: readonly StatusSum[], most: number): string {
  const shown = statuses
    .slice(0, most)
    .map(({ status, requests }) => `${unusualStatuses[status] ?? status}: ${countTextOf(requests)}`);
  return statuses.length > most ? `${shown.join(", ")} …` : shown.join(", ");
}

/** The sums that are not 0, such as "11 served, 3 not found"; requests whose status is not known are left out. */
export function listedAnswersOf(answers: Answers): string {
  const listed = statusClasses.filter((name) => name !== "not-known" && answers[name] > 0);
  return listed.map((name) => `${countTextOf(answers[name])} ${wordsOf(name)}`).join(", ");
}

/**
 * The end of a sentence about requests: "; the server refused 12 and had no file for 3". Empty if the server served all of them, or if their
 * statuses are not known.
 */
export function answersTextOf(answers: Answers): string {
  const requests = statusClasses.reduce((sum, name) => sum + answers[name], 0);
  const parts = verbs.flatMap(([name, verb, ofAll]) => {
    const count = answers[name];
    if (count === 0) return [];
    if (count < requests) return [`${verb} ${countTextOf(count)}`];
    return [count === 1 ? `${verb} it` : (ofAll ?? `${verb} all of them`)];
  });
  return parts.length === 0 ? "" : `; the server ${listTextOf(parts)}`;
}
