// Recognizes lines that a server writes about itself, as the streams of containers mix them with its access log.
import type { LogProblem } from "./types.ts";

const messages: readonly RegExp[] = [
  // nginx's error_log (https://nginx.org/en/docs/ngx_core_module.html#error_log).
  /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[(?:debug|info|notice|warn|error|crit|alert|emerg)\] \d{1,10}#\d{1,10}: /,
  // Apache httpd's ErrorLog (https://httpd.apache.org/docs/current/logs.html#errorlog).
  /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})? \d{4}\] \[[\w-]{0,40}:?(?:emerg|alert|crit|error|warn|notice|info|debug|trace\d)\] /,
  // klog, as the controller of ingress-nginx writes it.
  /^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} {1,10}\d{1,10} [\w.-]{1,100}:\d{1,6}\] /,
  // Envoy's application log, with its default format.
  /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\]\[\d{1,10}\]\[(?:trace|debug|info|warning|error|critical|off)\]\[\w{1,40}\] /,
  // Traefik's own log, of version 2 and of version 3.
  /^time="[^"]{1,40}" level=[a-z]{1,10} msg=/,
  /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S{1,20} )?(?:TRC|DBG|INF|WRN|ERR|FTL) /,
];

const longest = 256;

/** Makes the problem of a record that is no access record. `what` is a phrase: "is a firewall event". */
export function noAccessRecord(what: string): LogProblem {
  return { code: "no-access-record", message: `${what}, not an access record` };
}

/** Whether a server wrote this line about itself. */
export function isOfServer(line: string): boolean {
  const start = line.slice(0, longest);
  return messages.some((message) => message.test(start));
}

/** Whether a line is a message in JSON, as Caddy and Traefik write them: an object with a level and a text, but without a request. */
export function isJsonMessage(line: string): boolean {
  return (
    /^\{"(?:level|time|ts)":/.test(line) &&
    /"level":"\w/.test(line) &&
    /"(?:msg|message)":/.test(line) &&
    !/"Request|"request"/.test(line)
  );
}
