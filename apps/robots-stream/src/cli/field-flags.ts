// Defines the flags that name fields of records, for every command that reads records.
import type { AskedText } from "@robots-stream/engine";
import type { FlagShape } from "./command-line.ts";

export type FieldFlagName = UrlFieldFlagName | "agent-field" | "time-field" | "method-field" | "status-field";

/** The names of the flags for the URL and its parts. */
export type UrlFieldFlagName =
  | "url-field"
  | "url-template"
  | "path-field"
  | "host-field"
  | "scheme-field"
  | "query-field";

const fieldFlags: Readonly<Record<FieldFlagName, FlagShape<FieldFlagName>>> = {
  "url-field": {
    name: "url-field",
    value: "NAME",
    about:
      "Field with the URL: a member, a path to a nested member (request.url, list.0.url), or the name or number of a column.",
    otherwise: "url, uri, address, loc, link, href, page, …",
  },
  "url-template": {
    name: "url-template",
    value: "TEXT",
    about: "How to compose the URL from fields: '{scheme}://{host}{uri}'. Fields may be nested members.",
  },
  "path-field": {
    name: "path-field",
    value: "NAME",
    about:
      "Field with the path of the URL, if the parts of the URL are in separate fields; --base or --host-field names the host.",
  },
  "host-field": {
    name: "host-field",
    value: "NAME",
    about: "Field with the host; needs --path-field.",
    otherwise: "--base",
  },
  "scheme-field": {
    name: "scheme-field",
    value: "NAME",
    about: "Field with the scheme, http or https; needs --path-field.",
    otherwise: "the scheme of --base, or https",
  },
  "query-field": {
    name: "query-field",
    value: "NAME",
    about: "Field with the query, which is added to a path without a query; needs --path-field.",
  },
  "agent-field": {
    name: "agent-field",
    value: "NAME",
    about:
      "Field with the User-Agent header (user_agent in access logs): each record is decided for the crawler that made the request.",
  },
  "time-field": {
    name: "time-field",
    value: "NAME",
    about: "Field with the time, for --since, --until, --as-of-record and --verify.",
    otherwise: "the time of a log; time, timestamp, datetime, ts, date, …",
  },
  "method-field": {
    name: "method-field",
    value: "NAME",
    about: "Field with the method of the request (GET, HEAD …), if the input is not a log.",
    otherwise: "the method of a log; method, request_method, http_method, …",
  },
  "status-field": {
    name: "status-field",
    value: "NAME",
    about: "Field with the status code of the response, if the input is not a log.",
    otherwise: "the status of a log; status, status_code, http_status, …",
  },
};

/**
 * Describes the field from which readers take the method or the status of a request. A record may lack the field unless the flag names it.
 */
export function requestTextOf(name: "method" | "status", field: string | undefined): AskedText {
  return { name, field, flag: `--${name}-field`, isRequired: field !== undefined };
}

/** The row of a flag, for a command's table. */
export function fieldFlag<Name extends FieldFlagName>(name: Name): FlagShape<Name> {
  return { ...fieldFlags[name], name };
}

/** The rows of the flags for the URL and its parts. */
export const urlFieldFlags: readonly FlagShape<UrlFieldFlagName>[] = [
  fieldFlag("url-field"),
  fieldFlag("url-template"),
  fieldFlag("path-field"),
  fieldFlag("host-field"),
  fieldFlag("scheme-field"),
  fieldFlag("query-field"),
];
