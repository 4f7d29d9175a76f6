// Parses the value of Content-Encoding into the content codings of a body (RFC 9110 §8.4.1).
import type { Failure } from "../common/failures.ts";

/** The content codings that this package decodes. */
export type Coding = "gzip" | "deflate" | "br";

/** The value of the Accept-Encoding field: every coding that this package decodes. */
export const acceptEncoding = "gzip, deflate, br";

const codingByName: ReadonlyMap<string, Coding> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "br"],
]);

/**
 * Returns the codings in a Content-Encoding value, or the failure `encoding` for an unknown coding or for more than `maxCodings` codings.
 */
export function codingsOf(value: string | undefined, maxCodings: number): readonly Coding[] | Failure {
  if (value === undefined) return [];
  const names = value
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > maxCodings) {
    return { code: "encoding", message: `${names.length} content codings, more than ${maxCodings}` };
  }
  const codings: Coding[] = [];
  for (const name of names) {
    const coding = codingByName.get(name);
    if (coding === undefined) {
      return { code: "encoding", message: `unknown content coding ${JSON.stringify(name.slice(0, 40))}` };
    }
    codings.push(coding);
  }
  return codings;
}
