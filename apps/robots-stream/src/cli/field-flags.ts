// The flags that name fields of records, for every command that reads records.
import type { AskedText } from "@robots-stream/engine";
import { flag } from "./flag.ts";

/** The flags for the URL and its parts. */
export const urlFieldFlags = [
  flag({
    name: "url-field",
    value: "NAME",
    about:
      "Field with the URL: a member, a path to a nested member (request.url, list.0.url), or the name or number of a column.",
    otherwise: "url, uri, address, loc, link, href, page, …",
  }),
  flag({
    name: "url-template",
    value: "TEXT",
    about: "How to compose the URL from fields: '{scheme}://{host}{uri}'. Fields may be nested members.",
  }),
  flag({
    name: "path-field",
    value: "NAME",
    about:
      "Field with the path of the URL, if the parts of the URL are in separate fields; --base or --host-field names the host.",
  }),
  flag({
    name: "host-field",
    value: "NAME",
    about: "Field with the host; needs --path-field.",
    otherwise: "--base",
  }),
  flag({
    name: "scheme-field",
    value: "NAME",
    about: "Field with the scheme, http or https; needs --path-field.",
    otherwise: "the scheme of --base, or https",
  }),
  flag({
    name: "query-field",
    value: "NAME",
    about: "Field with the query, which is added to a path without a query; needs --path-field.",
  }),
];

export const agentFieldFlag = flag({
  name: "agent-field",
  value: "NAME",
  about:
    "Field with the User-Agent header (user_agent in access logs): each record is decided for the crawler that made the request.",
});

export const timeFieldFlag = flag({
  name: "time-field",
  value: "NAME",
  about: "Field with the time, for --since, --until, --as-of-record and --verify.",
  otherwise: "the time of a log; time, timestamp, datetime, ts, date, …",
});

export const methodFieldFlag = flag({
  name: "method-field",
  value: "NAME",
  about: "Field with the method of the request (GET, HEAD …), if the input is not a log.",
  otherwise: "the method of a log; method, request_method, http_method, …",
});

export const statusFieldFlag = flag({
  name: "status-field",
  value: "NAME",
  about: "Field with the status code of the response, if the input is not a log.",
  otherwise: "the status of a log; status, status_code, http_status, …",
});

/**
 * Describes the field from which readers take the method or the status of a request. A record may lack the field unless the flag names it.
 */
export function requestTextOf(name: "method" | "status", field: string | undefined): AskedText {
  return { name, field, flag: `--${name}-field`, isRequired: field !== undefined };
}
