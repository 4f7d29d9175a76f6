// Finds the host and the User-Agent header among the values of captured headers.
import { type Escape, unescaped } from "../quoted.ts";

/** Endings of file names, which `isDomain` must not take for top-level domains: "index.php" is the beginning of a path. */
const ofFile =
  /\.(?:[ps]?html?|php\d?|phtml|aspx?|ash?x|asmx|jspx?|jsf|cgi|fcgi|cfm|exe|dll|txt|xml|json|css|js|map|png|jpe?g|gif|svg|webp|ico|pdf)$/i;

/** Whether a text has the form of a host name with a top-level domain, perhaps with a port. Hardly any other text has this form. */
export function isDomain(text: string): boolean {
  return (
    text.length <= 260 &&
    !ofFile.test(text) &&
    /^(?:[a-z0-9_-]{1,63}\.){1,10}(?:[a-z]{2,24}|xn--[a-z0-9-]{1,59})(?::\d{1,5})?$/i.test(text)
  );
}

/** The kind of a captured value, guessed from its form, because HAProxy writes values without the names of their headers. */
function capturedKindOf(value: string): "host" | "userAgent" | undefined {
  if (isDomain(value)) return "host";
  return /^[A-Za-z][\w.-]{0,60}\/\d|\(compatible; /.test(value) ? "userAgent" : undefined;
}

/** The maximum number of captured headers of a line that are read. */
const mostCaptured = 20;

/** Start and end of two headers in a field with captured headers; undefined for a missing header. */
export interface Captured {
  readonly host: readonly [start: number, end: number] | undefined;
  readonly userAgent: readonly [start: number, end: number] | undefined;
  /** Whether every value is a host, so that none can be a User-Agent header. An empty field has none, either. */
  readonly lacksAgents: boolean;
}

/**
 * Finds the two headers in a field, whose values are separated by "|". If several values are hosts, none of them is returned, because it is
 * unknown which one was requested.
 */
export function capturedIn(field: string, escape: Escape = "none"): Captured {
  const found: { readonly [kind in "host" | "userAgent"]: [number, number][] } = { host: [], userAgent: [] };
  let from = 0;
  let lacksAgents = true;
  for (const value of field.split("|", mostCaptured)) {
    const kind = capturedKindOf(unescaped(value, escape));
    if (kind !== "host" && field !== "") lacksAgents = false;
    if (kind !== undefined) found[kind].push([from, from + value.length]);
    from += value.length + 1;
  }
  return { host: found.host.length === 1 ? found.host[0] : undefined, userAgent: found.userAgent[0], lacksAgents };
}
