// Adds the counts of a checked document to a counter.
import type { AuditCounter } from "../count/counter.ts";
import { coarserDirectoryOf } from "../count/directories.ts";
import { verificationRoom } from "../count/keys.ts";
import { foldedName } from "../count/names.ts";
import type { OriginCounts } from "../count/origin-counts.ts";
import { mergeSketch, sketchOfText } from "../count/sketch.ts";
import { totalNames } from "../count/totals.ts";
import { directions, methodNames, stateCodes, statusClasses, verifications } from "../states/states.ts";
import { secondsPerMinute } from "../time.ts";
import { flips } from "./tables.ts";
import type { AuditDocument, DocumentOrigin } from "./types.ts";

/** A crawler's number for `originOf`. Any number except 0 selects the origin's own counts; 0 would select the sum of folded origins. */
const anyCrawler = 1;

/** Adds the counts of a document. The counter must have the document's history and limits, and all its crawlers. */
export function addDocument(counter: AuditCounter, document: AuditDocument): void {
  const { period } = document;
  if (period !== null) {
    counter.firstSeconds = Math.min(counter.firstSeconds, period.first);
    counter.lastSeconds = Math.max(counter.lastSeconds, period.last);
  }
  for (const name of totalNames) counter.addTotal(name, document.totals[name]);
  counter.pages.addDocument(document.pages ?? []);
  const actorOf = actorsOf(counter);
  for (const { crawler, verification, sketch } of document.urls) {
    mergeSketch(counter.sketchOf(actorOf(crawler, verification)), sketchOfText(sketch));
  }
  for (const { agent, requests } of document.otherAgents) {
    const known = counter.otherAgents.get(agent, () => 0);
    if (known !== undefined) counter.otherAgents.set(agent, known + requests);
  }
  for (const origin of document.origins) {
    const number = origin.origin === foldedName ? 0 : counter.originOf(origin.origin, anyCrawler);
    addOrigin(counter.countsOf(number), origin, actorOf);
  }
}

type ActorOf = (crawler: string, verification: string) => number;

function actorsOf(counter: AuditCounter): ActorOf {
  const numbers = new Map(counter.crawlers.map(({ productToken }, at) => [productToken, at + 1]));
  return (crawler, verification) =>
    numbers.get(crawler)! * verificationRoom + (verifications as readonly string[]).indexOf(verification);
}

function addOrigin(counts: OriginCounts, origin: DocumentOrigin, actorOf: ActorOf): void {
  const { folded } = origin;
  counts.times.foldTo(folded.times);
  counts.fetches.foldTo(folded.fetches);
  counts.directories.foldTo(folded.directories);
  if (folded.parameters > 0) counts.parameters.fold();
  for (const [time, crawler, verification, state, statusClass, requests, bytes] of origin.times) {
    counts.addTime(
      time ?? -1,
      actorOf(crawler, verification),
      stateCodes.indexOf(state),
      statusClasses.indexOf(statusClass),
      requests,
      bytes,
    );
  }
  for (const [time, crawler, verification, method, status, requests] of origin.fetches) {
    counts.addFetch(time ?? -1, actorOf(crawler, verification), methodNames.indexOf(method), status, requests);
  }
  for (const [crawler, verification, method, state, status, requests] of origin.answers) {
    const actor = actorOf(crawler, verification);
    counts.addAnswer(actor, methodNames.indexOf(method), stateCodes.indexOf(state), status, requests);
  }
  for (const [name, state, statusClass, requests] of origin.parameters) {
    counts.parameters.addNamed(name, stateCodes.indexOf(state), statusClasses.indexOf(statusClass), requests);
  }
  for (const [operator, requests] of origin.referrals) counts.addReferral(operator, requests);
  addDirectories(counts, origin, actorOf);
  if (counts.origin === foldedName) return;
  addHeld(counts, origin, actorOf);
  for (const [time, crawler, verification, requests] of origin.pace) {
    counts.addPace(time!, actorOf(crawler, verification), requests);
  }
}

/** Adds the tables that exist only for origins with a history. */
function addHeld(counts: OriginCounts, origin: DocumentOrigin, actorOf: ActorOf): void {
  const outcomeOf = outcomesOf(counts, origin);
  for (const row of origin.decisions) {
    const [interval, rule, crawler, verification, state, direction, proven, disputed, status, requests, first, last] =
      row;
    counts.addDecision(
      outcomeOf(interval, rule, state, direction, proven, disputed),
      actorOf(crawler, verification),
      status,
      requests,
      first ?? -1,
      last ?? -1,
    );
  }
  for (const [time, answers, smallest, largest] of origin.sizes) counts.addSize(time!, answers, smallest, largest);
  for (const [interval, crawler, verification, time] of origin.firstFetches) {
    counts.addFirstFetch(interval, actorOf(crawler, verification), time!);
  }
  for (const [time, crawler, verification, interval, proven, disputed, requests] of origin.graceMinutes) {
    const flags = (proven ? 2 : 0) + (disputed ? 1 : 0);
    const seconds = Math.floor(time! / secondsPerMinute) * secondsPerMinute;
    counts.addGraceMinute(seconds, actorOf(crawler, verification), interval, flags, requests);
  }
}

type OutcomeOf = (
  interval: number,
  rule: number,
  state: (typeof stateCodes)[number],
  direction: (typeof directions)[number],
  proven: boolean,
  disputed: boolean,
) => number;

function outcomesOf(counts: OriginCounts, origin: DocumentOrigin): OutcomeOf {
  const rules = origin.rules.map(({ tokens, directive, pattern, dialect = "", lines }) => {
    const position = counts.outcomes.ruleOf(tokens, directive, pattern, dialect);
    for (const [version, line] of Object.entries(lines)) counts.outcomes.addLine(position, version, line);
    return position;
  });
  return (interval, rule, state, direction, proven, disputed) =>
    counts.outcomes.intern({
      interval,
      rule: rules[rule]!,
      state: stateCodes.indexOf(state),
      direction: directions.indexOf(direction),
      proven,
      disputed,
    });
}

function addDirectories(counts: OriginCounts, origin: DocumentOrigin, actorOf: ActorOf): void {
  const { directories } = counts;
  const numberOf = (directory: string): number =>
    directories.names.numberOfText(coarserDirectoryOf(directory, directories.level));
  for (const [directory, crawler, verification, state, statusClass, requests] of origin.directories) {
    directories.addRequests(
      numberOf(directory),
      actorOf(crawler, verification),
      stateCodes.indexOf(state),
      statusClasses.indexOf(statusClass),
      requests,
    );
    directories.keepWithinLimits();
  }
  for (const [directory, statusClass, requests, examples] of origin.misses) {
    const cell = directories.addMiss(numberOf(directory), statusClasses.indexOf(statusClass), requests);
    for (const [hash, target] of examples) directories.missExamples.addExample(cell, exampleOf(hash, target));
  }
  const outcomeOf = outcomesOf(counts, origin);
  for (const row of origin.crossings) {
    const [directory, interval, rule, crawler, verification, state, direction, proven, disputed] = row;
    const [, , , , , , , , , requests, first, last, examples] = row;
    const outcome = outcomeOf(interval, rule, state, direction, proven, disputed);
    const actor = actorOf(crawler, verification);
    const cell = directories.addCrossing(numberOf(directory), outcome, actor, requests, first ?? -1, last ?? -1);
    for (const [hash, target] of examples) directories.crossingExamples.addExample(cell, exampleOf(hash, target));
    directories.keepWithinLimits();
  }
  for (const [directory, crawler, verification, flip, requests, examples] of origin.flips) {
    const actor = actorOf(crawler, verification);
    const cell = directories.addFlip(numberOf(directory), actor, flips.indexOf(flip), requests);
    for (const [hash, target] of examples) directories.flipExamples.addExample(cell, exampleOf(hash, target));
    directories.keepWithinLimits();
  }
}

function exampleOf(hash: string, target: string): { high: number; low: number; target: string } {
  return { high: Number.parseInt(hash.slice(0, 8), 16), low: Number.parseInt(hash.slice(8), 16), target };
}
