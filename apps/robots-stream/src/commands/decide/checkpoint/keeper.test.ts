// The keeper of checkpoints: what a checkpoint counts, and checkpoints that are written before the first row.
import { closeSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { IoError } from "@robots-stream/engine";
import { type RecordWriter, Tally } from "@robots-stream/engine/internal";
import { expect, onTestFinished, test } from "vitest";
import { type InputPlace, readCheckpoint } from "./file.ts";
import { CheckpointKeeper } from "./keeper.ts";
import { KeptFile } from "./kept-file.ts";
import { makeFolder } from "../../../../test/folder.ts";

const top = makeFolder();
let count = 0;

/** A keeper whose files are in a new folder, with the errors that it reports. */
function keeperOf({ isResumed = false } = {}) {
  const folder = join(top, `${count++}`);
  mkdirSync(folder);
  const path = join(folder, "checkpoint");
  const fd = openSync(join(folder, "rows"), "w+");
  onTestFinished(() => closeSync(fd));
  const tally = new Tally([]);
  const errors: IoError[] = [];
  const keeper = new CheckpointKeeper({
    path,
    run: { version: "1", files: ["urls"], flags: {}, agents: ["bingbot"] },
    tally,
    writer: { known: () => ({}) } as unknown as RecordWriter,
    output: new KeptFile(fd, { begin: 0 }),
    rejects: undefined,
    from: null,
    isResumed,
    damaged: () => [],
    headerBytes: () => 0,
    onError: (error) => errors.push(error),
  });
  return { folder, path, tally, keeper, errors };
}

function placeAt(offset: number): InputPlace {
  const before = { bytes: 0, crc: 0 };
  const resumePoint = { offset, line: 1, before, known: {} };
  return { ...resumePoint, source: 0, format: "ndjson", lineEnd: "\n", beginning: before, file: null, isPlain: true };
}

test("a checkpoint has the counts of the records before its place, although later records are read and located already", async () => {
  const { path, tally, keeper, errors } = keeperOf();
  await keeper.begin();
  Object.assign(tally, { records: 10, rejects: 1, elsewhere: 2, outside: 3, timeless: 4 });
  const onDecided = keeper.read(placeAt(1_000));
  Object.assign(tally, { records: 100, rejects: 11, elsewhere: 12, outside: 13, timeless: 14, decided: 4 });
  onDecided(0);
  await keeper.stop();
  expect(errors).toEqual([]);
  expect(readCheckpoint(path)).toMatchObject({
    place: { offset: 1_000 },
    counts: { numbers: { records: 10, rejects: 1, elsewhere: 2, outside: 3, timeless: 4, decided: 4 } },
  });
});

test.each([
  ["before the first row", 0],
  ["while the first checkpoint is written", 1],
  ["after the first checkpoint", 20],
])("batches without rows, %s", async (_when, ms) => {
  for (let round = 0; round < 6; round++) {
    const { folder, path, keeper, errors } = keeperOf();
    const begun = ms === 0 ? undefined : keeper.begin();
    if (ms === 20) await begun;
    for (let batch = 1; batch <= 3; batch++) keeper.read(placeAt(batch * 100))(0);
    if (round % 2 === 0) await delay(round / 4);
    // The caller awaits `begin` before it changes the output.
    await keeper.begin();
    keeper.read(placeAt(400))(0);
    await keeper.stop();
    expect(errors).toEqual([]);
    expect(readCheckpoint(path)).toMatchObject({ isFinished: false, place: { offset: 400 }, output: { bytes: 0 } });
    expect(readdirSync(folder).toSorted()).toEqual(["checkpoint", "rows"]);
  }
});

test("the last checkpoint is not written at the same time as another one", async () => {
  for (let round = 0; round < 6; round++) {
    const { path, keeper, errors } = keeperOf();
    keeper.read(placeAt(100))(0);
    void keeper.begin();
    await delay(round / 4);
    keeper.read(placeAt(200))(0);
    await keeper.finish(200);
    expect(errors).toEqual([]);
    expect(readCheckpoint(path)).toMatchObject({ isFinished: true, inputBytes: 200 });
  }
});
