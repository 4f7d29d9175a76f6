// Generates, reproducibly, credentials in many encodings, and documents of each input format that contain them.
import type { InputFormat } from "@robots-stream/engine/internal";

/** A text that contains credentials. */
export interface Credential {
  readonly what: string;
  /** The text in the form that occurs in a URL, a header or a line. */
  readonly text: string;
  /** The secrets; no six consecutive characters of a secret may appear in a message. */
  readonly secrets: readonly string[];
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** A reproducible sequence of numbers (a linear congruential generator). */
function createRandom(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const jsonEscapes = (text: string): string =>
  Array.from(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

/**
 * Templates that put one or two secrets into a text. No template has a slash in a password, because by the URL grammar the slash would end
 * the host, and the text before the slash would not be a password.
 */
const encodings: readonly (readonly [what: string, write: (one: string, two: string) => string])[] = [
  ["a password", (one) => `https://user:${one}@h.example/`],
  ["a user", (one) => `https://${one}@h.example/`],
  ["both", (one, two) => `https://${one}:${two}@h.example/a`],
  ["upper case", (one) => `HTTPS://user:${one}@H.EXAMPLE/`],
  ["mixed case", (one) => `hTTp://user:${one}@h.example/`],
  ["ftp", (one) => `ftp://user:${one}@h.example/`],
  ["another scheme", (one) => `redis://user:${one}@h.example/0`],
  ["percent", (one) => `https://user:${percent(one)}@h.example/`],
  ["double percent", (one) => `https://user:${percent(one).replaceAll("%", "%25")}@h.example/`],
  ["all percent", (one) => percent(`https://user:${one}@h.example/`)],
  ["JSON \\u", (one) => `https://user:${jsonEscapes(one)}@h.example/`],
  ["token with JSON \\u003d", (one) => `https://h.example/?token\\u003d${one}`],
  ["JSON \\/", (one) => `https:\\/\\/user:${one}@h.example\\/`],
  ["backslashes", (one) => `https:\\\\user:${one}@h.example\\`],
  ["one backslash", (one) => `https:\\user:${one}@h.example`],
  ["no slashes", (one) => `https:user:${one}@h.example`],
  ["one slash", (one) => `https:/user:${one}@h.example/`],
  ["four slashes", (one) => `https:////user:${one}@h.example/`],
  ["no scheme", (one) => `//user:${one}@h.example/`],
  ["neither", (one) => `user:${one}@h.example`],
  ["@@", (one) => `https://user:${one}@@h.example/`],
  ["@ in the password", (one, two) => `https://user:${one}@${two}@h.example/`],
  [": in the password", (one, two) => `https://user:${one}:${two}@h.example/`],
  ["a tab", (one, two) => `https://user:${one}\t${two}@h.example/`],
  ["a blank", (one, two) => `https://user:${one} ${two}@h.example/`],
  ["a comma", (one, two) => `https://user:${one},${two}@h.example/`],
  ["a semicolon", (one, two) => `https://user:${one};${two}@h.example/`],
  ["a bar", (one, two) => `https://user:${one}|${two}@h.example/`],
  ["a quote", (one, two) => `https://user:${one}"${two}@h.example/`],
  ["UTF-8", (one) => `https://üser:ß${one}ü@h.example/`],
  ["a query", (one) => `https://h.example/?token=${one}`],
  ["a query with any name", (one, two) => `https://h.example/?${one}&x[${two}]=1;y=2`],
  ["a blank in a query", (one, two) => `https://h.example/?q=a ${one} token=${two}`],
  ["a fragment", (one, two) => `https://h.example/#access_token=${one}&${two}`],
  ["a path", (one) => `https://h.example/reset/${one}`],
  ["Basic", (one) => `Authorization: Basic ${Buffer.from(`user:${one}`).toString("base64")}`],
  ["Bearer", (one) => `Authorization: Bearer ${one}`],
  ["a parameter", (one, two) => `api_key=${one} password: ${two}`],
  ["alone", (one) => one],
  ["alone in quotes", (one, two) => `"${one}","${two}"`],
];

/** The given number of credentials, with each encoding in turn. */
export function credentialsOf(count: number): readonly Credential[] {
  return Array.from({ length: count }, (_, at) => {
    const random = createRandom(at + 1);
    const secret = (): string => Array.from({ length: 14 }, () => letters[random(letters.length)]).join("");
    const [what, write] = encodings[at % encodings.length]!;
    const secrets = [secret(), secret()];
    return { what, text: write(secrets[0]!, secrets[1]!), secrets };
  });
}

const line = (request: string, agent = "-"): string =>
  `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "${request}" 200 1 "-" "${agent}"`;

/**
 * Documents of a format with a text in them. `before`: the first lines, with a record. `later`: lines after `before` that contain the text;
 * some of them are records, some are not. `first`: first lines that contain the text.
 */
interface Places {
  readonly before: string;
  later(text: string): readonly string[];
  first(text: string): readonly string[];
}

/** The places in a format: those of the table, or else those in the format's samples. */
export function placesOf({ name, samples }: InputFormat): Places {
  const own = placesIn[name];
  if (own !== undefined) return own;
  const { heading, record, broken } = samples!;
  const url = { url: "https://h.example/", scheme: "https", host: "h.example", target: "/", path: "/", query: "-" };
  const filled = (parts: Readonly<Record<string, string>>): string =>
    Object.entries({ ...url, other: "x", ...parts }).reduce(
      (filling, [part, text]) => filling.replaceAll(`{${part}}`, () => text),
      record,
    );
  return {
    before: [...(heading === undefined ? [] : [heading]), filled({})].join("\n"),
    later: (text) => [
      ...Object.keys(url).map((part) => filled({ [part]: text })),
      filled({ other: text }),
      ...broken.map((bad) => `${bad}${text}`),
      text,
    ],
    first: (text) => [text, filled({ url: text, target: text })],
  };
}

const placesIn: Readonly<Record<string, Places>> = {
  sitemap: {
    before: "<urlset><url><loc>https://h.example/</loc></url>",
    later: (text) => [
      `<url><loc>${text}</loc><lastmod>${text}</lastmod></url>`,
      `<url><lastmod>${text}</lastmod></url>`,
      `<url><loc>${text}<loc></url>`,
      `<${text}>`,
      text,
    ],
    first: (text) => [`<urlset><url><loc>${text}</loc></url></urlset>`, `<urlset>${text}</urlset>`, `<${text}>`, text],
  },
  ndjson: {
    before: '{"url":"https://h.example/"}',
    later: (text) => [
      JSON.stringify({ url: text, ua: text }),
      `{"url":"${text}"}`,
      `{"url":"${text}`,
      `{"url":["${text}"]}`,
      JSON.stringify({ [text]: text }),
      `[${JSON.stringify(text)}]`,
      JSON.stringify(text),
      text,
    ],
    first: (text) => [
      JSON.stringify({ [text]: 1, b: text }),
      `{"${text}":1}`,
      JSON.stringify({ link: { url: text } }),
      text,
    ],
  },
  csv: {
    before: "url,n\nhttps://h.example/,1",
    later: (text) => [
      `"${text}",1`,
      `${text},1`,
      `${text},1,2`,
      `"${text.replaceAll('"', '""')}","1","2"`,
      `x"${text},1`,
      text,
    ],
    first: (text) => [
      `${text},n\n1,2`,
      `"${text}",URL,url\n1,2,3`,
      `a;${text};b\n1;2;3`,
      `"${text}\n1,2`,
      `a,url\n${text}\n`,
      `Link,LINK,${text}\n1,2,3`,
    ],
  },
  tsv: {
    before: "url\tn\nhttps://h.example/\t1",
    later: (text) => [`"${text}"\t1`, `${text}\t1`, `${text}\t1\t2`, `x"${text}\t1`, text],
    first: (text) => [`${text}\tn\n1\t2`, `"${text}"\tb\tc\n1\t2\t3`, `${text}\n${text}`],
  },
  lines: {
    before: "https://h.example/",
    later: (text) => [text],
    first: (text) => [text],
  },
  common: {
    before: line("GET https://h.example/ HTTP/1.1"),
    later: (text) => [
      line(`GET ${text} HTTP/1.1`),
      line(text),
      `${text} ${line("-")}`,
      line(`GET ${text}`).slice(0, -20),
      text,
    ],
    first: (text) => [text, line(`GET /?${text} HTTP/1.1`)],
  },
  combined: {
    before: line("GET https://h.example/ HTTP/1.1"),
    later: (text) => [
      line(`GET ${text} HTTP/1.1`, text),
      line(`GET /x?${text} HTTP/1.1`, `Mozilla/5.0 (compatible; ${text})`),
      line(`CONNECT ${text} HTTP/1.1`),
      line(text, text),
      text,
    ],
    first: (text) => [text, line("GET / HTTP/1.1", text)],
  },
  vhost_combined: {
    before: `h.example:443 ${line("GET / HTTP/1.1")}`,
    later: (text) => [
      `${text} ${line("GET / HTTP/1.1")}`,
      `h.example:443 ${line(text, text)}`,
      line(`GET ${text} HTTP/1.1`),
      text,
    ],
    first: (text) => [text, `${text}:443 ${line("GET / HTTP/1.1")}`],
  },
  cloudfront: {
    before: "#Fields: cs-protocol x-host-header cs-uri-stem cs-uri-query\nhttps\th.example\t/\t-",
    later: (text) => [
      `https\th.example\t/\t${text}`,
      `https\t${text}\t/\t-`,
      `${text}\th.example\t/\t-`,
      `#Fields: ${text}`,
      text,
    ],
    first: (text) => [text, `#Fields: ${text}\n${text}`],
  },
  alb: {
    before:
      'https 2018-07-02T22:23:00.186641Z app/x/5 192.0.2.1:1 10.0.0.1:80 0 0 0 200 200 0 57 "GET https://h.example/ HTTP/1.1" "x" - - arn "Root=1" "-" "-" 0',
    later: (text) => [
      `https 2018-07-02T22:23:00.186641Z app/x/5 192.0.2.1:1 10.0.0.1:80 0 0 0 200 200 0 57 "GET ${text} HTTP/1.1" "${text}" - - arn "Root=1" "-" "-" 0`,
      `https ${text}`,
      text,
    ],
    first: (text) => [text],
  },
  cdx: {
    before: 'example)/ 20240722120756 {"url": "https://h.example/"}',
    later: (text) => [
      `example)/ 20240722120756 {"url": ${JSON.stringify(text)}}`,
      `${text} 20240722120756 {"url": "${text}`,
      text,
    ],
    first: (text) => [text, `example)/ 20240722120756 {"${text}": "x"}`],
  },
  cloudflare: {
    before: '{"ClientRequestScheme":"https","ClientRequestHost":"h.example","ClientRequestURI":"/"}',
    later: (text) => [
      JSON.stringify({ ClientRequestScheme: "https", ClientRequestHost: text, ClientRequestURI: text }),
      JSON.stringify({ ClientRequestScheme: text, ClientRequestHost: "h.example", ClientRequestURI: "/" }),
      `{"ClientRequestURI":"${text}`,
      text,
    ],
    first: (text) => [text, `{"${text}":1}`],
  },
  caddy: {
    before: '{"request":{"remote_ip":"192.0.2.1","host":"h.example","uri":"/","tls":{"version":772}}}',
    later: (text) => [
      JSON.stringify({ request: { remote_ip: "192.0.2.1", host: text, uri: text } }),
      JSON.stringify({ request: { host: "h.example", uri: `/?${text}`, headers: { "User-Agent": [text] } } }),
      `{"request":"${text}`,
      text,
    ],
    first: (text) => [text, `{"${text}":1}`],
  },
};

/**
 * The forms of a text in which secrets are searched for, in lower case: the text as it is, without escapes, percent-decoded once and twice,
 * and its words decoded from base64.
 */
function readingsOf(text: string): string {
  const unpercented = (from: string): string =>
    from.replaceAll(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const unescaped = text
    .replaceAll(/\\(?:u([\da-f]{4})|x([\da-f]{2}))/gi, (_all, four: string | undefined, two: string | undefined) =>
      String.fromCharCode(Number.parseInt(four ?? two ?? "", 16)),
    )
    .replaceAll("\\", "");
  const base64 = (text.match(/[\w+/]{8,}={0,2}/g) ?? []).map((word) => Buffer.from(word, "base64").toString("latin1"));
  return [text, unescaped, unpercented(text), unpercented(unpercented(text)), ...base64].join("\n").toLowerCase();
}

/** The pieces of six characters of the credentials' secrets that appear in a text. */
export function leaksIn(text: string, credentials: readonly Credential[]): readonly string[] {
  const readings = readingsOf(text);
  return credentials.flatMap(({ what, secrets }) =>
    secrets.flatMap((secret) =>
      Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6))
        .filter((piece) => readings.includes(piece.toLowerCase()))
        .map((piece) => `${what}: ${piece}`),
    ),
  );
}
