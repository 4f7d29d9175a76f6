// Runs a job while this process holds this checkout's lock file.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure, pathOf, say } from "./run.mjs";

const pollMs = 100;
const patienceMs = 15 * 60_000;

/** Runs `job` while holding the lock file. Waits while another living process holds the lock; takes over the lock of a dead process. */
export async function withLock(job, path = pathOf(".cache/lock")) {
  mkdirSync(pathOf(".cache"), { recursive: true });
  await acquire(path);
  try {
    return await job();
  } finally {
    rmSync(path, { force: true });
  }
}

async function acquire(path) {
  const until = Date.now() + patienceMs;
  for (let told = false; !create(path); told = true) {
    if (removeStale(path)) continue;
    if (Date.now() > until)
      throw new Failure(`gave up waiting for ${path}; remove the file if no other process is setting up this checkout`);
    if (!told) say("another process is setting up this checkout: waiting for it");
    await sleep(pollMs);
  }
}

/** Creates the file with this process's id in it; returns false if the file exists. */
function create(path) {
  try {
    const file = openSync(path, "wx");
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock of a dead process. Only one process at a time may do this: a second one could remove a newer lock. */
function removeStale(path) {
  if (!isStale(path)) return false;
  const judging = `${path}.judging`;
  if (!create(judging)) {
    // A holder needs this file for a millisecond, so an older file was left behind by a killed process.
    if (ageMs(judging) > 10_000) rmSync(judging, { force: true });
    return false;
  }
  try {
    if (!isStale(path)) return false;
    rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(judging, { force: true });
  }
}

function isStale(path) {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    // An empty file: its owner is about to write its id, or died before writing it.
    if (!(pid > 0)) return ageMs(path) > 10_000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
