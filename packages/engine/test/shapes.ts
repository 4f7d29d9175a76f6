// How each input format writes its records: what the tests of all formats make their sources of.

/** How a format writes a header and one record of a URL, with a "ü" in another field if it has others; and what is a reject. */
export const shapes: Readonly<
  Record<string, { readonly header: string; record(url: string): string; readonly bad: string | undefined }>
> = {
  common: {
    header: "",
    record: (url) => `192.0.2.1 - ü [17/May/2015:10:05:03 +0000] "GET ${url} HTTP/1.1" 200 1`,
    bad: '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "\\x16\\x03" 400 0',
  },
  combined: {
    header: "",
    record: (url) => `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET ${url} HTTP/1.1" 200 1 "-" "ü"`,
    bad: '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "-" 408 - "-" "-"',
  },
  vhost_combined: {
    header: "",
    record: (url) => {
      const [, scheme, host, target] = /^(https?):..([^/]*)(.*)$/.exec(url) ?? [];
      const port = scheme === "https" ? 443 : 80;
      return `${host}:${port} 192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET ${target} HTTP/1.1" 200 1 "-" "ü"`;
    },
    bad: "oops",
  },
  cloudfront: {
    header: "#Fields: cs-protocol x-host-header cs-uri-stem cs-uri-query cs(User-Agent)",
    record: (url) => {
      const [, scheme, host, stem, query] = /^(https?):..([^/]*)([^?]*)\??(.*)$/.exec(url) ?? [];
      return [scheme, host, stem, query === "" ? "-" : query, "ü"].join("\t");
    },
    bad: "https\ta.example\t/",
  },
  alb: {
    header: "",
    record: (url) =>
      `https 2018-07-02T22:23:00.186641Z app/x/5 192.0.2.1:1 10.0.0.1:80 0 0 0 200 200 0 57 "GET ${url} HTTP/1.1" "ü" - - arn "Root=1" "-" "-" 0`,
    bad: 'https 2018-07-02T22:23:00.186641Z app/x/5 192.0.2.1:1 - -1 -1 -1 400 - 0 57 "- http://a.example:443- -" "-" - - arn "Root=1" "-" "-" 0',
  },
  cdx: {
    header: "",
    record: (url) => `example)/ü 20240722120756 {"url": ${JSON.stringify(url)}}`,
    bad: 'example)/ 20240722120756 {"url"',
  },
  cloudflare: {
    header: "",
    record: (url) => {
      const [, scheme, host, target] = /^(https?):..([^/]*)(.*)$/.exec(url) ?? [];
      return JSON.stringify({ n: "ü", ClientRequestScheme: scheme, ClientRequestHost: host, ClientRequestURI: target });
    },
    bad: '{"ClientRequestURI":',
  },
  caddy: {
    header: "",
    record: (url) => {
      const [, scheme, host, uri] = /^(https?):..([^/]*)(.*)$/.exec(url) ?? [];
      const tls = scheme === "https" ? { version: 772 } : undefined;
      return JSON.stringify({ n: "ü", request: { remote_ip: "192.0.2.1", host, uri, tls } });
    },
    bad: '{"level":"info","msg":"using config"}',
  },
  ndjson: { header: "", record: (url) => `{"url":${JSON.stringify(url)},"n":"ü"}`, bad: '{"url":' },
  csv: { header: "url,n", record: (url) => `"${url}",ü`, bad: 'a"b,c' },
  tsv: { header: "url\tn", record: (url) => `${url}\tü`, bad: "only one field" },
  // Every line is a URL, of whatever kind.
  lines: { header: "", record: (url) => url, bad: undefined },
};
