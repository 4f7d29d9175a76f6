// Reads URL records on stdin and writes them with a decision: a simple script of npm packages and Node's own modules.
// Arguments: the folder of saved robots.txt files, and "ndjson" or "csv". If the folder has bodies.json (host and length of each file) and
// bodies.bin (the concatenated files), the script reads both into memory at the start.
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parse } from "csv-parse";
import robotsParser from "robots-parser";

const [folder, format] = process.argv.slice(2);
const agent = "bingbot";
const robotsByOrigin = new Map();

const bodies = existsSync(`${folder}/bodies.json`) ? readBodies() : undefined;

function readBodies() {
  const bytes = readFileSync(`${folder}/bodies.bin`);
  let at = 0;
  return new Map(
    JSON.parse(readFileSync(`${folder}/bodies.json`, "utf8")).map(([host, length]) => [
      host,
      bytes.subarray(at, (at += length)),
    ]),
  );
}

function textOf(host) {
  return bodies === undefined ? readFileSync(`${folder}/${host}.txt`, "utf8") : bodies.get(host).toString("utf8");
}

function decide(record) {
  const { origin, host } = new URL(record.url);
  let robots = robotsByOrigin.get(origin);
  if (robots === undefined) {
    robots = robotsParser(`${origin}/robots.txt`, textOf(host));
    robotsByOrigin.set(origin, robots);
  }
  record.robots = { agent, allowed: robots.isAllowed(record.url, agent) === true, origin };
  return record;
}

// Output lines are collected in batches: one write per line would cost as much as all other work.
let rows = "";
function write(record) {
  rows += `${JSON.stringify(record)}\n`;
  if (rows.length > 65_536) {
    process.stdout.write(rows);
    rows = "";
  }
}

if (format === "csv") {
  for await (const record of process.stdin.pipe(parse({ columns: true }))) write(decide(record));
} else {
  for await (const line of createInterface({ input: process.stdin })) write(decide(JSON.parse(line)));
}
process.stdout.write(rows);
