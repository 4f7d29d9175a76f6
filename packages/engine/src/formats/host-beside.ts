// Finds, in a record whose URL is only a path, a field that may name another host than `base` does, so that no host is replaced silently.
import { hint, option, optionMark, optionText } from "../common/caller-words.ts";
import { type Base, type LogProblem, isHostOfRequest, namedHostOf } from "@robots-stream/logs";
import { UsageError } from "../common/errors.ts";
import { plainOf, withFacts } from "./url-field.ts";
import type { UrlField } from "./url-parts.ts";

/** Usual names of fields with the host of a request, in the form of `plainOf`. */
export const usualHostNames: readonly string[] = [
  "host",
  "http_host",
  "request_host",
  "req_host",
  "host_header",
  "x_forwarded_host",
  "http_x_forwarded_host",
  "http_x_original_host",
  "ssl_server_name",
  "sni",
  "x_host_header",
  "cs_host",
  "server_name",
  "vhost",
  "virtual_host",
  "domain",
  "authority",
  ":authority",
  "hostname",
  "host_name",
];

/** Names that are often those of the machine that wrote the record: only a domain is then taken for a host. */
const ofMachine = /^host_?name$/;

/** Whether a field with this name may hold the host of a request. */
export function isHostName(name: string): boolean {
  return usualHostNames.includes(plainOf(name));
}

/** The base that applies to URLs which are only paths; undefined where the user named the fields of the URL's parts. */
export function baseOfPaths(urlField: UrlField | undefined, base: Base | undefined): Base | undefined {
  return typeof urlField === "object" ? undefined : base;
}

/** Whether the text of a field named `name` is another host than that of `base`. */
export function isOtherHost(name: string, text: string, base: Base): boolean {
  const { host } = namedHostOf(text);
  if (host === undefined || !isHostOfRequest(text) || (ofMachine.test(plainOf(name)) && !host.includes(".")))
    return false;
  return nameOf(host) !== nameOf(base.host);
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/\.?(?::\d+)?$/, "");
}

/**
 * The error for a first record with a path and another host, or with any host in a nested field. `path` and `host` are the names of their
 * fields. A name of `host` that is not a usual one is text of the input, which only `detect` may show.
 */
export function unaskedHost(source: string, path: string, host: string): UsageError {
  const shown = isHostName(host) ? host.trim() : undefined;
  const where =
    shown === undefined
      ? "a nested field may name its host"
      : `its field ${shown} names another host than ${optionText("base")}`;
  const error = new UsageError(
    "unasked-host",
    `${source}: the URL of the first record is only a path, and ${where}`,
    hint`the host of the requests: ${fieldsOf(path, shown)}; if that field has another meaning: ${option("pathField", path)}`,
  );
  return withFacts(error, { likelyParts: { path, host } });
}

/** The options that name both fields; undefined when the caller has none. */
function fieldsOf(path: string, host: string | undefined): string | undefined {
  return hint`${option("pathField", path)} ${option("hostField", host ?? "NAME")}`;
}

/** The error for records whose URLs are only paths, without a base, if the first one has a field `host` that may name its host. */
export function hostBeside(source: string, path: string, host: string): UsageError {
  const shown = isHostName(host) ? host.trim() : undefined;
  const where = shown === undefined ? "a nested field" : `the field ${shown}`;
  const error = new UsageError(
    "no-urls",
    `${source}: the URL of the first record is only a path; ${where} may name its host`,
    hint`name both: ${fieldsOf(path, shown)}; if that field has another meaning: ${option("base", "https://example.com")}`,
  );
  return withFacts(error, { likelyParts: { path, host } });
}

/** The reject of a later record with a path and another host. */
export const otherHost: LogProblem = {
  code: "no-host",
  get message() {
    return `has only a path, and names another host than ${optionText("base")} in a field that is not read${optionMark("hostField")}`;
  },
};
