// Counts the lines of a generated log in the way the engine does.
import {
  AuditCounter,
  type LocatedRequest,
  RequestAudit,
  documentOf,
  methodNumberOf,
  verifications,
} from "../src/index.ts";
import { createHistory } from "@robots-stream/fetch/history";
import type { AuditDocument, CounterOptions, DocumentInput, DocumentSettings } from "../src/index.ts";
import type { LogLine, World } from "./generator.ts";

export const settings: DocumentSettings = { registry: "2026-11-20", ranges: null, dialect: "rfc9309", candidate: null };

const encoder = new TextEncoder();

export function counterFor(world: World, options: Partial<CounterOptions> = {}): AuditCounter {
  return new AuditCounter({ history: createHistory(world.observations), crawlers: world.crawlers, ...options });
}

export function feed(counter: AuditCounter, world: World, lines: readonly LogLine[]): void {
  const crawlers = new Map(world.crawlers.map(({ productToken }, at) => [productToken, at + 1]));
  let target = "";
  const audit = new RequestAudit(counter, {
    decide: (version, { crawler }) => world.decide(version, world.crawlers[crawler - 1]!.productToken, target),
    candidates: world.candidates,
  });
  for (const line of lines) {
    ({ target } = line);
    // The target is a part of the buffer, in UTF-8, as in a log.
    const buffer = encoder.encode(`xx${target}yy`);
    const request: LocatedRequest = {
      origin: line.origin ?? "",
      crawler: line.crawler === undefined ? 0 : crawlers.get(line.crawler)!,
      verification: verifications.indexOf(line.verification),
      atSeconds: line.atSeconds ?? -1,
      method: methodNumberOf(line.method),
      status: line.status,
      bytes: line.bytes ?? -1,
      buffer,
      targetStart: 2,
      targetEnd: buffer.length - 2,
    };
    audit.count(request);
    if (request.crawler > 0) continue;
    if (target.includes("x")) counter.addOtherAgent(`SomeBot ${target.length}`);
    if (target.includes("img")) counter.addReferral(request.origin, "Operator 1");
    if (line.status === 0) counter.addTotal("withoutAgent", 1);
  }
}

export function documentFor(
  world: World,
  lines: readonly LogLine[],
  options: Partial<CounterOptions> = {},
  inputs: readonly DocumentInput[] = [],
): AuditDocument {
  const counter = counterFor(world, options);
  feed(counter, world, lines);
  return documentOf(counter, { settings, inputs, textOf: (version) => world.bodies.get(version) });
}
