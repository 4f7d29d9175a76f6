// Tests that `auditRequests` makes the document that its parts make, what it refuses, and the README's example.
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { createContext, runInContext } from "node:vm";
import * as core from "@robots-stream/core";
import { createHistory } from "@robots-stream/fetch/history";
import { expect, test } from "vitest";
import * as audit from "../src/index.ts";
import { type AuditRequest, AuditError, auditRequests, countsTextOf, documentTextOf } from "../src/index.ts";
import { documentFor, settings } from "./feed.ts";
import { type LogLine, createWorld } from "./generator.ts";

const world = createWorld(3, { hosts: 6, crawlers: 8, lines: 800 });
const requestOf = ({ origin = "", ...line }: LogLine): AuditRequest => ({ ...line, origin });
const options = {
  history: createHistory(world.observations),
  crawlers: world.crawlers,
  candidates: world.candidates,
  settings,
  textOf: (version: string) => world.bodies.get(version),
  decide: (version: string, { crawler, target }: AuditRequest) => world.decide(version, crawler!, target),
};

test("the document of a list of requests is that of the counter", () => {
  const lines = world.lines.filter(({ crawler }) => crawler !== undefined);
  const text = documentTextOf(documentFor(world, lines));
  expect(documentTextOf(auditRequests(lines.map(requestOf), options)) === text).toBe(true);
  expect(countsTextOf(auditRequests(lines.toReversed().map(requestOf), options))).toBe(
    countsTextOf(documentFor(world, lines)),
  );
});

test("visits are counted for other clients only", () => {
  const visit = {
    origin: world.lines.find(({ origin }) => origin?.includes("host"))!.origin!,
    target: "/",
    atSeconds: 0,
  };
  const referrer = "https://chatgpt.com/c/1";
  const { origins, totals } = auditRequests(
    [
      { ...visit, referrer },
      { ...visit, referrer, crawler: world.crawlers[0]!.productToken },
      { ...visit, referrer: "https://shop.example/" },
    ],
    options,
  );
  expect(origins.flatMap(({ referrals }) => referrals)).toEqual([["OpenAI", 1]]);
  expect(totals).toMatchObject({ requests: 3, notACrawler: 2 });
});

test("a crawler that is not in the list is refused", () => {
  const request = { crawler: "Unheard", origin: "https://a.example", target: "/" };
  expect(() => auditRequests([request], options)).toThrow(AuditError);
});

test("the README's example", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const block = /^```ts\n(import \{ auditRequests[\s\S]*?)^```$/mu.exec(readme)![1]!;
  const [, told] = /^printText\(.*\/\/ "… (.*) …"$/mu.exec(block)!;
  const context = createContext({ ...audit, ...core, createHistory, TextEncoder });
  const shown: unknown = runInContext(stripTypeScriptTypes(block.replaceAll(/^import .*\n/gmu, "")), context);
  expect(shown).toContain(told);
});
