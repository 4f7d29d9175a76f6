// Adds the counts of a checked document to a counter.
import { FoldingTable } from "../count/cell-table.ts";
import { totalNames } from "../count/counter-input.ts";
import type { AuditCounter } from "../count/counter.ts";
import { type ExampleCell, exampleOf } from "../count/examples.ts";
import { bucketOf, verificationRoom } from "../count/keys.ts";
import { foldedName } from "../count/names.ts";
import type { OriginCounts } from "../count/origin-counts.ts";
import { mergeSketch, sketchOfText } from "../count/sketch.ts";
import { directions, methodNames, stateCodes, statusClasses, verifications } from "../states/states.ts";
import { secondsPerDay } from "../time.ts";
import { type CellTableName, type PartName, keyParts, keyedTableOf, roomsOf } from "./table-keys.ts";
import { type Cell, type ColumnName, flips, tableColumns } from "./tables.ts";
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
    counter.otherAgents.add(agent, requests);
  }
  for (const origin of document.origins) {
    const number = origin.origin === foldedName ? 0 : counter.originOf(origin.origin, anyCrawler);
    addOrigin(counter.countsOf(number), origin, actorOf);
  }
}

type ActorOf = (crawler: Cell, verification: Cell) => number;

function actorsOf(counter: AuditCounter): ActorOf {
  const numbers = new Map<Cell, number>(counter.crawlers.map(({ productToken }, at) => [productToken, at + 1]));
  return (crawler, verification) => numbers.get(crawler)! * verificationRoom + positionIn(verifications, verification);
}

function addOrigin(counts: OriginCounts, origin: DocumentOrigin, actorOf: ActorOf): void {
  const { folded } = origin;
  counts.times.foldTo(folded.times);
  counts.fetches.foldTo(folded.fetches);
  counts.directories.foldTo(folded.directories);
  counts.parameters.foldTo(Math.min(1, folded.parameters));
  const numbers = partNumbersOf(counts, origin, actorOf);
  for (const name of Object.keys(keyParts) as CellTableName[]) addTable(counts, origin, name, numbers);
  for (const [operator, requests] of origin.referrals) counts.addReferral(operator, requests);
  if (counts.origin === foldedName) return;
  for (const [time, crawler, verification, interval, proven, disputed, requests] of origin.graceMinutes) {
    const flags = (proven ? 2 : 0) + (disputed ? 1 : 0);
    counts.addGraceMinute(time!, actorOf(crawler, verification), interval, flags, requests);
  }
  for (const [time, crawler, verification, requests] of origin.pace) {
    counts.addPace(time!, actorOf(crawler, verification), requests);
  }
}

/** Returns the cell of a row in a column. */
type Get = (column: ColumnName) => Cell;

/** The number of each part of a key, which the columns of a row give; the number of a name depends on the table. */
type PartNumbers = Readonly<Record<Exclude<PartName, "name">, (get: Get) => number>>;

function partNumbersOf({ outcomes }: OriginCounts, origin: DocumentOrigin, actorOf: ActorOf): PartNumbers {
  const rules = origin.rules.map(({ tokens, directive, pattern, dialect = "", lines }) => {
    const position = outcomes.ruleOf(tokens, directive, pattern, dialect);
    for (const [version, line] of Object.entries(lines)) outcomes.addLine(position, version, line);
    return position;
  });
  return {
    bucket: (get) => bucketOf((get("time") as number | null) ?? -1, 0),
    day: (get) => Math.floor((get("time") as number) / secondsPerDay),
    actor: (get) => actorOf(get("crawler"), get("verification")),
    state: (get) => positionIn(stateCodes, get("state")),
    answer: (get) => positionIn(statusClasses, get("statusClass")),
    method: (get) => positionIn(methodNames, get("method")),
    status: (get) => (get("status") as number) + 1,
    flip: (get) => positionIn(flips, get("flip")),
    interval: (get) => get("interval") as number,
    outcome: (get) =>
      outcomes.intern({
        interval: get("interval") as number,
        rule: rules[get("rule") as number]!,
        state: positionIn(stateCodes, get("state")),
        direction: positionIn(directions, get("direction")),
        proven: get("proven") as boolean,
        disputed: get("disputed") as boolean,
      }),
  };
}

function positionIn(list: readonly string[], cell: Cell): number {
  return list.indexOf(cell as string);
}

/** Adds the rows of a table to its cells. */
function addTable(counts: OriginCounts, origin: DocumentOrigin, name: CellTableName, numbers: PartNumbers): void {
  const columns: readonly ColumnName[] = tableColumns[name];
  const rooms = roomsOf(name);
  const [first, ...others] = keyParts[name] as readonly PartName[];
  let row: readonly Cell[] = [];
  const get: Get = (column) => row[columns.indexOf(column)]!;
  for (row of origin[name] as readonly (readonly Cell[])[]) {
    // Adding a row may fold the names of a table, which replaces its cells.
    const { table, named, examples } = keyedTableOf(counts, name);
    let key = first === "name" ? named!.numberOf(row[0] as string) : numbers[first as keyof PartNumbers](get);
    for (const [at, part] of others.entries()) key = key * rooms[at]! + numbers[part as keyof PartNumbers](get);
    const cell = table.cellOf(key);
    const cells = table instanceof FoldingTable ? table.cells : table;
    const values = row.slice(columns.length - cells.kinds.length - (examples === undefined ? 0 : 1));
    for (const [column, value] of values.entries()) {
      if (typeof value === "number") cells.merge(cell, column, value);
    }
    for (const example of examples === undefined ? [] : (row.at(-1) as readonly ExampleCell[])) {
      examples!.addExample(cell, exampleOf(example));
    }
    named?.keepWithinLimits();
  }
}
