// Runs an engine in a worker thread. The main thread sends units of text and receives rows; only the main thread uses the network.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { LogClock } from "@robots-stream/logs";
import { Engine, runEngine } from "../engine.ts";
import { inputFormatNamed, outputFormats } from "../formats/registry.ts";
import type { Reject } from "../records/batch.ts";
import type { RecordWriter } from "../formats/types.ts";
import { RowMemory } from "../records/row-memory.ts";
import { openSavedSource } from "../robots/saved.ts";
import type { RobotsSource } from "../robots/types.ts";
import { Collector } from "../counts/collect.ts";
import { UsageError } from "../errors.ts";
import { countsOf } from "../tally.ts";
import { shownWordOf } from "../text.ts";
import { errorReportOf } from "./errors.ts";
import type { Findings, FromWorker, OriginReport, ToWorker, WorkerData, WorkerReport } from "./messages.ts";
import { RemoteSource } from "./remote-source.ts";
import { RowSender } from "./row-sender.ts";
import { UnitEnds } from "./unit-ends.ts";
import { UnitInput } from "./unit-input.ts";

void work(parentPort!, workerData as WorkerData);

/**
 * Reads the units and decides their records, up to the last unit. Sends rows and counts, and at the end the counts for reports, or the
 * error that ended the worker.
 */
async function work(port: MessagePort, { settings, unitSlots, rowSlots }: WorkerData): Promise<void> {
  const send = (message: FromWorker): void => port.postMessage(message);
  const { isOrdered } = settings;
  const remote = new RemoteSource((origin) => send({ type: "load", origin }));
  const say = (sentence: string): void => send({ type: "say", sentence });
  let source: RobotsSource;
  try {
    source = await sourceFor(settings, remote, say);
  } catch (error) {
    send({ type: "failed", error: errorReportOf(error) });
    port.close();
    return;
  }
  const output = outputFormats.find(({ name }) => name === settings.outputFormat)!;
  const writer = output.createWriter(settings);
  const rows = new RowSender({
    slots: rowSlots,
    send: (sent) => send({ type: "rows", rows: sent }),
    done: () => send({ type: "done" }),
  });
  const unitEnds = new UnitEnds((rowBytes) => rows.endUnit(rowBytes));
  const logClock = settings.logTimezone === undefined ? undefined : new LogClock(settings.logTimezone);
  const input = new UnitInput({
    settings,
    logClock,
    formatNamed: inputFormatNamed,
    slots: unitSlots,
    onSlotFree: (slot) => send({ type: "free", slot }),
    onUnitRead() {
      send({ type: "read", report: reportOf() });
      if (isOrdered) unitEnds.endUnit();
    },
  });
  const collector = settings.countsAll ? new Collector() : undefined;
  let rejects: Reject[] = [];
  let origins: OriginReport[] = [];
  const rowMemory = new RowMemory();
  const engine = new Engine({
    settings,
    input,
    source,
    logClock,
    writer,
    rowMemory,
    onRejects(more) {
      for (const reject of more) rejects.push(reject);
    },
    onOrigin: (origin, { access, code }) => void origins.push({ origin, access, code }),
    onForget: (origin, decided) => collector?.takeDecided(origin, decided, false),
    onRead: () => (isOrdered ? unitEnds.read() : undefined),
  });
  const reportOf = (): WorkerReport => {
    const { tally, waitingBytes, spilledRecords } = engine;
    const report = { counts: countsOf(tally), rejects, origins, waitingBytes, spilledRecords };
    rejects = [];
    origins = [];
    return report;
  };
  port.on("message", (message: ToWorker) => obey(message, { input, rows, remote, engine }));
  try {
    await runEngine(engine, rows.createStage(rowMemory));
    send({ type: "ended", report: reportOf(), findings: findingsOf(engine, writer, collector) });
  } catch (error) {
    send({ type: "failed", error: errorReportOf(error) });
  }
  port.close();
}

/**
 * The source of this worker's robots.txt: saved files, or the main thread. Rejects with a `UsageError` when the files were replaced since
 * the main thread opened them.
 */
async function sourceFor(
  { robotsPath, robotsDigest, maxBytes }: WorkerData["settings"],
  remote: RemoteSource,
  say: (sentence: string) => void,
): Promise<RobotsSource> {
  if (robotsPath === undefined) return remote;
  // The main thread has opened the same path, and has given the warnings about it.
  let isOpen = false;
  const warn = (sentence: string): void => {
    if (isOpen) say(sentence);
  };
  const source = await openSavedSource(robotsPath, { maxBytes, warn });
  isOpen = true;
  if (robotsDigest === undefined || source.digest === robotsDigest) return source;
  await source.close();
  throw new UsageError("unusable-robots", `--robots ${shownWordOf(robotsPath)}: was replaced while the run began`);
}

/** The parts of a worker that receive messages. */
interface WorkerParts {
  readonly input: UnitInput;
  readonly rows: RowSender;
  readonly remote: RemoteSource;
  readonly engine: Engine;
}

function obey(message: ToWorker, { input, rows, remote, engine }: WorkerParts): void {
  switch (message.type) {
    case "unit":
      return input.add(message.unit);
    case "taken":
      return rows.taken(message.slot);
    case "loaded":
      return remote.settle(message.loaded);
    case "end":
      return input.end();
    case "stop":
      engine.stop();
  }
}

/** The content of the worker's last message. Call it after the worker's last record. */
function findingsOf(engine: Engine, writer: RecordWriter, collector: Collector | undefined): Findings {
  for (const { origin, decided } of collector === undefined ? [] : engine.decided()) {
    // `comesOnce` is false, because other workers may have decided records of this origin too.
    collector?.takeDecided(origin, decided, false);
  }
  const problems = engine.tally.questions.map((question) => question.problems);
  return { writer: writer.known(), collected: collector?.collected, problems };
}
