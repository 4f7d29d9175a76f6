// Reads URL records or lines of an access log on stdin and writes them with a decision: a simple script of npm packages and Node's own
// modules. Arguments: the format, the saved robots.txt files (a folder, or NDJSON that is read into memory), the crawler, and the origin of
// a log without hosts. "by-header" stands for the crawler that each record's User-Agent names.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parse } from "csv-parse";
import robotsParser from "robots-parser";

const [format, saved, asked, base] = process.argv.slice(2);
const robotsByOrigin = new Map();
const crawlers = /Googlebot|bingbot|GPTBot|ClaudeBot|CCBot|YandexBot|AhrefsBot|SemrushBot|Applebot|Amazonbot/i;
const log =
  /^(?:(\S+) )?(\S+) \S+ \S+ \[(\d\d)\/(\w{3})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)\] "(\S+) (\S+) HTTP\/[\d.]+" (\d{3}) (\d+|-) "([^"]*)" "([^"]*)"$/;
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const bodies = saved.endsWith(".ndjson") ? readBodies() : undefined;

function readBodies() {
  const bodyOf = new Map();
  for (const line of readFileSync(saved, "utf8").trimEnd().split("\n")) {
    const { origin, body } = JSON.parse(line);
    bodyOf.set(origin, body);
  }
  return bodyOf;
}

/** The record of a line. */
function recordOf(line) {
  if (format === "list") return { url: line };
  if (format === "thin" || format === "wide") return JSON.parse(line);
  const found = log.exec(format === "combined" ? `- ${line}` : line);
  const [, host, client, day, month, year, time, hours, minutes, method, target, status, bytes, referer, agent] = found;
  const number = String(months.indexOf(month) + 1).padStart(2, "0");
  return {
    url: (format === "combined" ? base : `https://${host.replace(/:443$/, "")}`) + target,
    time: new Date(`${year}-${number}-${day}T${time}${hours}:${minutes}`).toISOString(),
    client,
    method,
    status: Number(status),
    bytes: bytes === "-" ? undefined : Number(bytes),
    referer: referer === "-" ? undefined : referer,
    user_agent: agent === "-" ? undefined : agent,
  };
}

function decide(record) {
  const agent = asked === "by-header" ? crawlers.exec(record.user_agent ?? "")?.[0] : asked;
  const { origin, host } = new URL(record.url);
  if (agent === undefined) {
    record.robots = { agent: null, allowed: null, because: "not-a-crawler" };
    return record;
  }
  let robots = robotsByOrigin.get(origin);
  if (robots === undefined) {
    const text = bodies === undefined ? readFileSync(`${saved}/${host}.txt`, "utf8") : bodies.get(origin);
    robots = robotsParser(`${origin}/robots.txt`, text);
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

if (format === "csv") for await (const record of process.stdin.pipe(parse({ columns: true }))) write(decide(record));
else for await (const line of createInterface({ input: process.stdin })) write(decide(recordOf(line)));
process.stdout.write(rows);
