// The values of captured headers in, the host and the User-Agent header among them out.

/** Whether a text is a name of a host with a domain, perhaps with a port: nothing else looks so. */
export function isDomain(text: string): boolean {
  return (
    text.length <= 260 && /^(?:[a-z0-9_-]{1,63}\.){1,10}(?:[a-z]{2,24}|xn--[a-z0-9-]{1,59})(?::\d{1,5})?$/i.test(text)
  );
}

/**
 * The host and the User-Agent header among captured headers, of which HAProxy writes the values alone: of a host, one value must
 * look like a domain.
 */
export function capturedIn(text: string): {
  readonly host?: string | undefined;
  readonly userAgent?: string | undefined;
} {
  const values = text.split("|", 20);
  const hosts = values.filter(isDomain);
  const userAgent = values.find((each) => /^[A-Za-z][\w.-]{0,60}\/\d|\(compatible; /.test(each));
  return { host: hosts.length === 1 ? hosts[0] : undefined, userAgent };
}
