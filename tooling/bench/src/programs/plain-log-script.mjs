// Reads lines of an access log on stdin and writes its requests with a decision: a simple script of npm packages and Node's own modules.
// Arguments: the folder of saved robots.txt files, the log format, the origin for a log without hosts, and the crawler to decide for
// ("by-header": the crawler that each line's User-Agent names).
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import robotsParser from "robots-parser";

const [folder, format, base, asked] = process.argv.slice(2);
const robotsByOrigin = new Map();
const crawlers = /Googlebot|bingbot|GPTBot|ClaudeBot|CCBot|YandexBot|AhrefsBot|SemrushBot|Applebot|Amazonbot/i;

const combined =
  /^(?:(\S+) )?(\S+) \S+ \S+ \[(\d\d)\/(\w{3})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})\] "(\S+) (\S+) HTTP\/[\d.]+" (\d{3}) (\d+|-) "([^"]*)" "([^"]*)"/;
const common =
  /^(\S+) \S+ \S+ \[(\d\d)\/(\w{3})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})\] "(\S+) (\S+) HTTP\/[\d.]+" (\d{3}) (\d+|-) "([^"]*)" "([^"]*)"/;
const months = { Jan: "01", Feb: "02", Mar: "03", Apr: "04", May: "05", Jun: "06" };
for (const [at, name] of ["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].entries()) {
  months[name] = String(at + 7).padStart(2, "0");
}

const squid = /^(\d+\.\d+) +\d+ (\S+) \S+\/(\d{3}) (\d+) (\S+) (\S+) \S+ \S+ \S+/;
const envoy =
  /^\[([^\]]+)\] "(\S+) (\S+) HTTP\/[\d.]+" (\d{3}) \S+ \d+ (\d+) \d+ \S+ "([^"]*)" "([^"]*)" "[^"]*" "([^"]*)" "[^"]*"$/;
const elb = /^(\S+) \S+ (\S+):\d+ \S+ \S+ \S+ \S+ (\d{3}) \S+ \d+ (\d+) "(\S+) (\S+) HTTP\/[\d.]+" "([^"]*)" \S+ \S+$/;
const haproxy =
  /haproxy\[\d+\]: (\S+):\d+ \[(\d\d)\/(\w{3})\/(\d{4}):([\d:.]+)\] \S+ \S+ \S+ (\d{3}) (\d+) \S+ \S+ \S+ \S+ \S+ \{([^|]*)\|([^}]*)\} "(\S+) (\S+) HTTP\/[\d.]+"/;

/** The fields of a line of a proxy or load balancer; undefined for a line that does not match. */
function proxied(line) {
  if (format === "squid") {
    const found = squid.exec(line);
    if (found === null) return undefined;
    const [, time, client, status, bytes, method, url] = found;
    const instant = new Date(Number(time) * 1_000).toISOString();
    return { url, time: instant, client, method, status: Number(status), bytes: Number(bytes) };
  }
  if (format === "envoy") {
    const found = envoy.exec(line);
    if (found === null) return undefined;
    const [, time, method, target, status, bytes, client, user_agent, host] = found;
    return {
      url: `https://${host}${target}`,
      time,
      client,
      method,
      status: Number(status),
      bytes: Number(bytes),
      user_agent,
    };
  }
  if (format === "elb") {
    const found = elb.exec(line);
    if (found === null) return undefined;
    const [, time, client, status, bytes, method, url, user_agent] = found;
    return { url, time, client, method, status: Number(status), bytes: Number(bytes), user_agent };
  }
  const found = haproxy.exec(line);
  if (found === null) return undefined;
  const [, client, day, month, year, time, status, bytes, host, user_agent, method, target] = found;
  const instant = `${year}-${months[month]}-${day}T${time}Z`;
  return {
    url: `https://${host}${target}`,
    time: instant,
    client,
    method,
    status: Number(status),
    bytes: Number(bytes),
    user_agent,
  };
}

let columns = [];

/** The fields of a log line; undefined for a line without a request. */
function requestOf(line) {
  if (format === "cloudfront") {
    if (line.startsWith("#")) {
      if (line.startsWith("#Fields: ")) columns = line.slice(9).split(" ");
      return undefined;
    }
    const cells = line.split("\t");
    const cell = (name) => {
      const value = cells[columns.indexOf(name)];
      return value === "-" ? undefined : value;
    };
    const query = cell("cs-uri-query");
    return {
      url: `${cell("cs-protocol")}://${cell("x-host-header")}${cell("cs-uri-stem")}${query === undefined ? "" : `?${query}`}`,
      time: `${cell("date")}T${cell("time")}Z`,
      client: cell("c-ip"),
      method: cell("cs-method"),
      status: Number(cell("sc-status")),
      bytes: Number(cell("sc-bytes")),
      referer: cell("cs(Referer)"),
      user_agent: decodeURIComponent(cell("cs(User-Agent)")),
    };
  }
  if (["squid", "envoy", "elb", "haproxy"].includes(format)) return proxied(line);
  if (format === "nginx_json") {
    const record = JSON.parse(line);
    const [method, target] = record.request.split(" ");
    return {
      url: `${record.scheme}://${record.host}${target}`,
      time: new Date(record.time_iso8601).toISOString(),
      client: record.remote_addr,
      method,
      status: record.status,
      bytes: record.body_bytes_sent,
      referer: record.http_referer === "" ? undefined : record.http_referer,
      user_agent: record.http_user_agent,
    };
  }
  const found = format === "combined" ? common.exec(line) : combined.exec(line);
  if (found === null) return undefined;
  const parts = format === "combined" ? [undefined, ...found.slice(1)] : found.slice(1);
  const [host, client, day, month, year, time, zone, method, target, status, bytes, referer, agent] = parts;
  const origin = host === undefined ? base : `https://${host.replace(/:443$/, "")}`;
  return {
    url: origin + target,
    time: new Date(`${year}-${months[month]}-${day}T${time}${zone.slice(0, 3)}:${zone.slice(3)}`).toISOString(),
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
    robots = robotsParser(`${origin}/robots.txt`, readFileSync(`${folder}/${host}.txt`, "utf8"));
    robotsByOrigin.set(origin, robots);
  }
  record.robots = { agent, allowed: robots.isAllowed(record.url, agent) === true, origin };
  return record;
}

// Output lines are collected in batches: one write per line would cost as much as all other work.
let rows = "";
for await (const line of createInterface({ input: process.stdin })) {
  const record = requestOf(line);
  if (record === undefined) continue;
  rows += `${JSON.stringify(decide(record))}\n`;
  if (rows.length > 65_536) {
    process.stdout.write(rows);
    rows = "";
  }
}
process.stdout.write(rows);
