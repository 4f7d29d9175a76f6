// Counts the lines of a generated log in the way the engine does.
import { AuditCounter, type CountedRequest, documentOf, methodNumberOf, verifications } from "../src/index.ts";
import { createHistory } from "@robots-stream/fetch/history";
import type { AuditDocument, CounterOptions, DocumentInput, DocumentSettings } from "../src/index.ts";
import { type LogLine, type World, flipOf } from "./generator.ts";

export const settings: DocumentSettings = { registry: "2026-11-20", ranges: null, dialect: "rfc9309", candidate: null };

const encoder = new TextEncoder();

/** The UTF-8 bytes of a target, as in a log. */
const bytesOfTarget = (target: string): Uint8Array => encoder.encode(target);

export function counterFor(world: World, options: Partial<CounterOptions> = {}): AuditCounter {
  return new AuditCounter({ history: createHistory(world.observations), crawlers: world.crawlers, ...options });
}

export function feed(counter: AuditCounter, world: World, lines: readonly LogLine[]): void {
  const crawlers = new Map(world.crawlers.map(({ productToken }, at) => [productToken, at + 1]));
  for (const line of lines) {
    const crawler = line.crawler === undefined ? 0 : crawlers.get(line.crawler)!;
    const origin = counter.originOf(line.origin ?? "", crawler);
    const atSeconds = line.atSeconds ?? -1;
    const window = counter.windowOf(origin, crawler, atSeconds);
    const decisions =
      line.crawler === undefined
        ? []
        : window.versions.map((version) => world.decide(version, line.crawler!, line.target));
    const buffer = bytesOfTarget(`xx${line.target}yy`);
    const request: CountedRequest = {
      origin,
      originName: line.origin ?? "",
      crawler,
      verification: verifications.indexOf(line.verification),
      atSeconds,
      method: methodNumberOf(line.method),
      status: line.status,
      bytes: line.bytes ?? -1,
      buffer,
      targetStart: 2,
      targetEnd: buffer.length - 2,
      outcome:
        crawler === 0
          ? 0
          : decisions.length <= 1
            ? counter.outcomeOf(origin, crawler, window, decisions[0])
            : counter.outcomeOfMany(origin, crawler, window, decisions),
      flip: flipOf(line.target),
    };
    counter.count(request);
    if (crawler > 0) continue;
    if (line.target.includes("x")) counter.addOtherAgent(`SomeBot ${line.target.length}`);
    if (line.target.includes("img")) counter.addReferral(line.origin ?? "", "Operator 1");
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
