// Tests the published vectors: headers, tags or a page, and the expected decision for one crawler.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readHtml } from "../src/html.ts";
import { type MetaTag, type Place, decidePage, readMetaTags, readXRobotsTag } from "../src/index.ts";

interface Vector {
  readonly id: string;
  readonly what: string;
  readonly headers?: readonly string[];
  readonly joined?: boolean;
  readonly meta?: readonly (readonly [name: string, content: string, place?: Place])[];
  readonly html?: string;
  readonly agent: string;
  readonly expect: {
    readonly indexable: boolean;
    readonly prohibited: readonly string[];
    readonly ambiguous?: boolean;
    readonly ignored?: readonly (readonly [directive: string, because: string])[];
  } & Readonly<Record<string, unknown>>;
}

const vectors = readFileSync(new URL("../vectors/page.ndjson", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Vector);

function tagOf([name, content, place]: readonly [string, string, Place?]): MetaTag {
  return place === undefined ? { name, content } : { name, content, place };
}

function decisionOf({ headers = [], joined = false, meta = [], html, agent }: Vector): Record<string, unknown> {
  const page = html === undefined ? [] : readHtml(html, { productTokens: [agent] }).statements;
  const header = readXRobotsTag(headers, { areJoined: joined });
  const { isAmbiguous, ignored, ...decision } = decidePage(
    [...header, ...readMetaTags(meta.map(tagOf)), ...page],
    agent,
  );
  const names = ignored.map(({ directive, because }) => [directive.name, because]);
  return { ...decision, ambiguous: isAmbiguous, ignored: names.toSorted() };
}

describe("vectors", () => {
  test.each(vectors.map((vector) => [vector.id, vector.what, vector] as const))("%s: %s", (_id, _what, vector) => {
    const { ignored, ...rest } = vector.expect;
    const expected = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value ?? undefined]));
    const decision = decisionOf(vector);
    expect(decision).toMatchObject(expected);
    if (ignored !== undefined) expect(decision["ignored"]).toEqual(ignored.toSorted());
  });

  test("each vector has a different id", () => {
    expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length);
  });
});
