// URL records on stdin, the same records with a decision out: a simple script of npm packages and Node's own modules.
// Arguments: the folder of saved robots.txt files, and "ndjson" or "csv".
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parse } from "csv-parse";
import robotsParser from "robots-parser";

const [folder, format] = process.argv.slice(2);
const agent = "bingbot";
const robotsByOrigin = new Map();

function decide(record) {
  const { origin, host } = new URL(record.url);
  let robots = robotsByOrigin.get(origin);
  if (robots === undefined) {
    robots = robotsParser(`${origin}/robots.txt`, readFileSync(`${folder}/${host}.txt`, "utf8"));
    robotsByOrigin.set(origin, robots);
  }
  record.robots = { agent, allowed: robots.isAllowed(record.url, agent) === true, origin };
  return record;
}

// Lines are collected before they are written: one write per line would cost as much as all other work.
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
