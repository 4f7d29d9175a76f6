// Tests the detected kind, the rows and the rejects of JSON logs, plain or as Docker, docker compose and CRI runtimes wrap them.
import { objectLogFormats } from "@robots-stream/logs";
import { describe, expect, test } from "vitest";
import { readAll } from "../../../test/reading.ts";
import { recordsOf } from "../../../test/samples.ts";
import { UsageError } from "../../common/errors.ts";
import type { InputFormat, ReadOptions } from "../input-format.ts";
import { detect } from "../../sources/detect.ts";
import { inputFormatNamed, inputFormats, outputFormats } from "../registry/registry.ts";

const formatOf = (name: string): InputFormat => inputFormats.find((format) => format.name === name)!;
const bytesOf = (lines: readonly string[]): Uint8Array => Buffer.from(lines.map((line) => `${line}\n`).join(""));
const detected = (lines: readonly string[]): string => {
  try {
    return detect("stdin", bytesOf(lines)).format.name;
  } catch (error) {
    if (error instanceof UsageError) return "not known";
    throw error;
  }
};

const inDocker = (line: string): string =>
  JSON.stringify({ log: `${line}\n`, stream: "stdout", time: "2026-11-21T06:55:09.391287654Z" });
const inCri = (line: string): string => `2026-11-21T06:55:09.391287654Z stdout F ${line}`;

const inCompose = (line: string): string => `web-1  | ${line}`;

describe.each(objectLogFormats.map(({ name }) => [name] as const))("%s", (name) => {
  const { record } = recordsOf(formatOf(name).samples!);
  const lines = Array.from({ length: 8 }, (_, at) => record(`https://a.example/${at}?x`));

  test.each([
    ["plain", (line: string) => line],
    ["in Docker's records", inDocker],
    ["in lines of a CRI runtime", inCri],
    ["in lines of docker compose", inCompose],
  ])("is detected %s, also cut or damaged", (_what, wrapped) => {
    const all = lines.map(wrapped);
    for (let count = 3; count <= all.length; count++) {
      expect(detected(all.slice(0, count))).toBe(name);
      expect(detected([all[0]!.slice(0, -20), ...all.slice(1, count)])).toBe(name);
    }
    expect(detected(all.slice(0, 1))).toBe(name);
  });

  test("plain and wrapped records give the same URLs and rejects", async () => {
    const some = [...lines, "{}"];
    const plain = await read(name, some);
    expect(plain.urls).toHaveLength(8);
    for (const wrapped of [inDocker, inCri, inCompose]) {
      const inside = await read(name, some.map(wrapped));
      expect(inside.urls).toEqual(plain.urls);
      expect(inside.rejects.map(({ line, code }) => [line, code])).toEqual(
        plain.rejects.map(({ line, code }) => [line, code]),
      );
    }
  });
});

test.each(["nginx_json", "cloudflare", "combined"])(
  "%s: parts of a line that a CRI runtime divided are rejects",
  async (name) => {
    const { record } = recordsOf(formatOf(name).samples!);
    const lines = ["F", "P", "F", "F"].map((tag, at) =>
      inCri(record(`https://a.example/${at}`)).replace(" F ", ` ${tag} `),
    );
    const { urls, rejects } = await read(name, lines);
    expect(urls).toEqual(["https://a.example/0", "https://a.example/3"]);
    expect(rejects.map(({ line, code }) => [line, code])).toEqual([
      [2, "not-a-log-line"],
      [3, "not-a-log-line"],
    ]);
  },
);

test.each(["nginx_json", "cloudflare", "combined"])(
  "%s: parts of a line that Docker divided are rejects",
  async (name) => {
    const { record } = recordsOf(formatOf(name).samples!);
    const entry = (log: string, stream = "stdout"): string => JSON.stringify({ log, stream });
    const of = (at: number): string => record(`https://a.example/${at}`);
    const lines = [
      entry(of(0)),
      entry("x".repeat(16_384)),
      entry(`${of(1)}\n`, "stderr"),
      // A client chose where the next parts begin.
      entry(of(2).padEnd(16_384)),
      entry(`${of(3)}\n`),
      entry(`${of(4)}\n`),
    ];
    const { urls, rejects } = await read(name, lines);
    expect(urls).toEqual(["https://a.example/0", "https://a.example/1", "https://a.example/4"]);
    expect(rejects.map(({ line, message }) => [line, /part of a line/.test(message)])).toEqual([
      [2, true],
      [4, true],
      [5, true],
    ]);
  },
);

const read = (
  name: string,
  lines: readonly string[],
  options: Partial<ReadOptions> = {},
): Promise<{
  readonly heads: readonly string[];
  readonly urls: readonly string[];
  readonly rejects: readonly { line: number; code: string; message: string; text: string }[];
}> => readAll(formatOf(name), [bytesOf(lines)], options);

const nginx = JSON.stringify({
  time: "21/Nov/2026:06:55:09 +0000",
  remote_addr: "192.0.2.10",
  request: 'GET /caf\u00e9?a="b" HTTP/1.1',
  host: "shop.example",
  status: "404",
  body_bytes_sent: "0",
  http_referer: "-",
  http_user_agent: 'x "\u0547ooglebot"\u202e',
});

test("a row has the same members as a row of a text log", async () => {
  const { heads, urls } = await read("nginx_json", [nginx]);
  expect(JSON.parse(`${Buffer.from(heads[0]!, "latin1").toString()}}`)).toEqual({
    url: 'https://shop.example/caf\u00e9?a="b"',
    time: "2026-11-21T06:55:09Z",
    client: "192.0.2.10",
    method: "GET",
    status: 404,
    bytes: 0,
    user_agent: 'x "\u0547ooglebot"\u202e',
  });
  expect(urls).toEqual(['https://shop.example/caf\u00e9?a="b"']);
});

test("the escapes of the log itself are decoded to bytes", async () => {
  const line = JSON.stringify({
    "cs-uri-stem": "/a",
    "x-host-header": "shop.example",
    "cs(User-Agent)": "caf%C3%A9%20%22%D5%87ooglebot%22%FF",
  });
  for (const output of ["ndjson", "csv"]) {
    const { heads, agents } = await readAll(formatOf("cloudfront_json"), [bytesOf([line])], {
      agentField: "user_agent",
      output,
    });
    const agent = 'caf\u00e9 "\u0547ooglebot"%FF';
    expect(agents.map((each) => Buffer.from(each, "latin1").toString())).toEqual([agent]);
    const head = Buffer.from(heads[0]!, "latin1").toString();
    if (output === "ndjson") expect(JSON.parse(`${head}}`)).toMatchObject({ user_agent: agent });
    else expect(head).toContain('"caf\u00e9 ""\u0547ooglebot""%FF"');
  }
});

test("consecutive instants of the same minute and of different minutes", async () => {
  const times = [
    ["2026-11-21T06:55:09+01:00", "2026-11-21T05:55:09Z"],
    ["2026-11-21T06:55:59+01:00", "2026-11-21T05:55:59Z"],
    ["2026-11-21T06:55:60+01:00", "2026-11-21T05:56:00Z"],
    ["2026-11-21T06:55:00+02:00", "2026-11-21T04:55:00Z"],
    ["2026-11-21T06:56:00+02:00", "2026-11-21T04:56:00Z"],
    ["2026-11-21T06:56:00.5+02:00", "2026-11-21T04:56:00.5Z"],
    ["2026-11-21T06:56:07.5+02:00", "2026-11-21T04:56:07.5Z"],
    ["21/Nov/2026:06:55:09 +0000", "2026-11-21T06:55:09Z"],
    ["21/Nov/2026:06:55:10 +0000", "2026-11-21T06:55:10Z"],
    ["1795244109", "2026-11-21T06:55:09Z"],
    ["1795244109.25", "2026-11-21T06:55:09.25Z"],
    ["yesterday", undefined],
  ];
  const lines = times.map(([time]) => JSON.stringify({ remote_addr: "x", request_uri: "/", host: "a.example", time }));
  const { heads } = await read("nginx_json", lines);
  expect(heads.map((head) => (JSON.parse(`${head}}`) as { time?: string }).time)).toEqual(times.map(([, is]) => is));
});

test("a row can leave out members, and contain its line", async () => {
  const logRows = { keepLine: true, without: ["client", "user_agent", "time"] as const };
  const line = inCri(nginx);
  const { heads } = await read("nginx_json", [line], { logRows });
  expect(JSON.parse(`${Buffer.from(heads[0]!, "latin1").toString()}}`)).toEqual({
    url: 'https://shop.example/caf\u00e9?a="b"',
    method: "GET",
    status: 404,
    bytes: 0,
    log: line,
  });
});

const combined = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "x \\"y\\""';

test("text logs in Docker's records are detected and read", async () => {
  const lines = [combined, combined.replace("/a", "/b"), "nginx: the configuration file is ok"];
  expect(detected(lines.map(inDocker))).toBe("combined");
  const base = { scheme: "https", host: "a.example" } as const;
  const { heads, urls, rejects } = await read("combined", lines.map(inDocker), { base });
  expect(urls).toEqual(["https://a.example/a", "https://a.example/b"]);
  expect(JSON.parse(`${heads[0]!}}`)).toMatchObject({ client: "192.0.2.1", user_agent: 'x "y"' });
  expect(rejects).toMatchObject([{ line: 3, code: "not-a-log-line", text: inDocker(lines[2]!) }]);
});

test("records that a runtime did not write are not wrappers", () => {
  expect(detected([JSON.stringify({ log: combined, stream: 1 }), '{"url":"https://a.example/"}'])).toBe("ndjson");
  expect(detected(['{"url":"https://a.example/","remote_addr":"192.0.2.1","request":"GET / HTTP/1.1"}'])).toBe(
    "ndjson",
  );
});

test("if the user names a field, the records are read as plain JSON", () => {
  const bytes = bytesOf([nginx]);
  expect(detect("stdin", bytes, { urlField: "host" }).format.name).toBe("ndjson");
});

test("a first record without a host is an error that asks for the base; later ones are rejects", async () => {
  const hostless = nginx.replace('"host":"shop.example",', "");
  await expect(read("nginx_json", [hostless])).rejects.toMatchObject({ code: "ERR_MISSING_BASE" });
  expect((await read("nginx_json", [nginx, hostless])).rejects).toMatchObject([
    { line: 2, code: "no-host", message: "does not name the host of the request (base)" },
  ]);
});

test.each<[line: string, code: string]>([
  ['{"request":', "not-json"],
  ["[1]", "not-an-object"],
  ["7", "not-an-object"],
  [inDocker("oops"), "not-a-log-line"],
  [inDocker('{"request":'), "not-a-log-line"],
  [inCri('{"request":'), "not-json"],
  ["{}", "no-request"],
  [`{"request_uri":"/","host":"a.example","x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, ""],
])("%.60s: %s", async (line, code) => {
  const { urls, rejects } = await read("nginx_json", [nginx, line]);
  expect(rejects.map((reject) => reject.code)).toEqual(code === "" ? [] : [code]);
  expect(urls).toHaveLength(code === "" ? 2 : 1);
});

const lines = [
  '{"ClientRequestURI":"/a"}',
  '{"ClientRequestURI":"/b","ClientRequestHost":"b.example"}',
  '{"ClientRequestURI":"/c"}',
];

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(`${lines.join("\n")}\n`));
}

test.each(outputFormats)("$name", async ({ createWriter }) => {
  const writer = createWriter({ resultKey: "robots", csvSafe: false, hasDialect: false, hasKind: false });
  const base = { scheme: "https", host: "a.example" } as const;
  const options = { source: "test", lineEnd: "\n", maxLineBytes: 1_000, urlField: undefined, base, writer } as const;
  let assumed = 0;
  for await (const { records } of inputFormatNamed("cloudflare")!.read(chunks(), options)) {
    for (let record = 0; record < records.count; record++) if (records.isOriginAssumed(record)) assumed++;
  }
  expect(assumed).toBe(2);
});
