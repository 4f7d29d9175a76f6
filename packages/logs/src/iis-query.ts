// Removes from IIS's field cs-uri-query what the server itself writes there: parameters of Application Request Routing, and error texts of
// ASP (https://learn.microsoft.com/iis/extensions/troubleshooting-application-request-routing).

/**
 * Whether a log with these fields, in lower case, may be a log of IIS, which can have few fields. Akamai, Imperva and Edgecast write the path
 * into `cs-uri`.
 */
export function isOfIis(names: readonly string[]): boolean {
  return names.includes("cs-uri-stem") && !names.includes("cs-uri");
}

/** A parameter of Application Request Routing at the end of a query. */
const routing = /(?:^|&)(X-ARR-[A-Z]{2,20}(?:-[A-Z]{2,20})?|SERVER-(?:STATUS|ROUTED))=[\w.:-]{0,260}$/;
const longestRouting = 320;

/** The line, the code and the text of an error of ASP: `|12|800a0bcd|Either_BOF_or_EOF…`. */
const error = /\|(?:-|\d{1,9})\|(?:[\da-f]{1,8}|ASP_\d{4}(?:_:_[\da-f]{1,8})?)\|/gi;

/**
 * The part of a query that the client sent; undefined if the server wrote all of it. The server appends its texts, and each only once: the
 * same text further ahead is the client's.
 */
export function queryOfClient(query: string): string | undefined {
  const removed = new Set<string>();
  let rest = query;
  for (;;) {
    const [parameter = "", name = "error"] = routing.exec(rest.slice(-longestRouting)) ?? [];
    const isError = parameter === "" && rest.includes("|");
    const at = isError ? [...rest.matchAll(error)].at(-1)?.index : rest.length - parameter.length;
    if (at === undefined || at === rest.length || removed.has(name)) return rest === "" ? undefined : rest;
    removed.add(name);
    rest = rest.slice(0, at);
  }
}

/** Whether a query is the one with which IIS calls an error page: `404;https://shop.example:443/missing`. The client sent another URL. */
export function isOfErrorPage(query: string): boolean {
  return /^\??\d{3}(?:;\d{1,3})?;https?:\/\//i.test(query);
}
