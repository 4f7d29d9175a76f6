// Finds the host and the User-Agent header among the values of captured headers.

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
export function capturedKindOf(value: string): "host" | "userAgent" | undefined {
  if (isDomain(value)) return "host";
  return /^[A-Za-z][\w.-]{0,60}\/\d|\(compatible; /.test(value) ? "userAgent" : undefined;
}

/** The maximum number of captured headers of a line that are read. */
export const mostCaptured = 20;

/**
 * The host and the User-Agent header among captured headers. If several values are hosts, none of them is returned, because it is unknown
 * which one was requested.
 */
export function capturedIn(values: readonly string[]): {
  readonly host: string | undefined;
  readonly userAgent: string | undefined;
} {
  const hosts = values.filter((value) => capturedKindOf(value) === "host");
  const userAgent = values.find((value) => capturedKindOf(value) === "userAgent");
  return { host: hosts.length === 1 ? hosts[0] : undefined, userAgent };
}
