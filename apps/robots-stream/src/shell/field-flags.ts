// The flags that name fields of records, for every command that reads records.
import type { FlagShape } from "./command-line.ts";

/** The names of these flags. */
export type FieldFlagName = "url-field" | "agent-field" | "time-field";

const fieldFlags: Readonly<Record<FieldFlagName, FlagShape<FieldFlagName>>> = {
  "url-field": {
    name: "url-field",
    value: "NAME",
    about: "Where the URL is: a member, a path to a nested one (request.url), a column's name or its number.",
    otherwise: "url, uri, address, loc, link, href, page, …",
  },
  "agent-field": {
    name: "agent-field",
    value: "NAME",
    about: "Decide each record for the crawler that made the request: the field with its User-Agent header.",
  },
  "time-field": {
    name: "time-field",
    value: "NAME",
    about: "Where the time is that --since and --until are compared with.",
    otherwise: "the time of a log; time, timestamp, datetime, ts, date, …",
  },
};

/** The row of a flag, for a command's table. */
export function fieldFlag<Name extends FieldFlagName>(name: Name): FlagShape<Name> {
  return { ...fieldFlags[name], name };
}
