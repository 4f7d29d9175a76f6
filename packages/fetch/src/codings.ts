// The value of Content-Encoding → the codings of a body (RFC 9110 §8.4.1).
import type { Failure } from "./failure-codes.ts";

/** The content codings that are decoded. */
export type Coding = "gzip" | "deflate" | "br";

/** For the Accept-Encoding field: every coding that is decoded. */
export const acceptEncoding = "gzip, deflate, br";

const codingByName: ReadonlyMap<string, Coding> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "br"],
]);

/** The value of Content-Encoding → codings, or the failure `encoding` for an unknown one or too many. */
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
