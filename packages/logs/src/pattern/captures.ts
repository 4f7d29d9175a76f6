// The values of captured headers in, the host and the User-Agent header among them out.

/** Endings of files that are no top-level domains: "index.php" is the beginning of a path. */
const ofFile =
  /\.(?:[ps]?html?|php\d?|phtml|aspx?|ash?x|asmx|jspx?|jsf|cgi|fcgi|cfm|exe|dll|txt|xml|json|css|js|map|png|jpe?g|gif|svg|webp|ico|pdf)$/i;

/** Whether a text is a name of a host with a domain, perhaps with a port: hardly anything else looks so. */
export function isDomain(text: string): boolean {
  return (
    text.length <= 260 &&
    !ofFile.test(text) &&
    /^(?:[a-z0-9_-]{1,63}\.){1,10}(?:[a-z]{2,24}|xn--[a-z0-9-]{1,59})(?::\d{1,5})?$/i.test(text)
  );
}

/** What a captured value is: HAProxy writes the values alone, without the names of their headers. */
export function capturedKindOf(value: string): "host" | "userAgent" | undefined {
  if (isDomain(value)) return "host";
  return /^[A-Za-z][\w.-]{0,60}\/\d|\(compatible; /.test(value) ? "userAgent" : undefined;
}

/** Values of more headers than these are not looked at. */
export const mostCaptured = 20;

/** The host and the User-Agent header among captured headers. Of two hosts, neither is sure to be the requested one. */
export function capturedIn(values: readonly string[]): {
  readonly host: string | undefined;
  readonly userAgent: string | undefined;
} {
  const hosts = values.filter((value) => capturedKindOf(value) === "host");
  const userAgent = values.find((value) => capturedKindOf(value) === "userAgent");
  return { host: hosts.length === 1 ? hosts[0] : undefined, userAgent };
}
