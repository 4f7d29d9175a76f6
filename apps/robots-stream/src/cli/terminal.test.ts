// Tests the stream in front of a terminal: what it escapes in each form, and characters whose bytes arrive in several chunks.
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { fitForTerminal } from "./terminal.ts";

async function shown(format: string, chunks: readonly (string | Buffer)[]): Promise<string> {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  const output = fitForTerminal(terminal, format);
  for (const chunk of chunks) await new Promise((resolve) => output.write(chunk, resolve));
  return String(terminal.read());
}

const tag = "\u{e0041}";

test.each([
  ["JSON", "json", `{\n "a": "\u001b[31m\u202e${tag}"}\n`, '{\n "a": "\\u001b[31m\\u202e\\udb40\\udc41"}\n'],
  ["CSV", "csv", `a,\u001b[31m\u202e${tag}\tb\r\nc\rd\n`, "a,\\x1b[31m\\u202e\\u{e0041}\tb\r\nc\\x0dd\n"],
  ["HTML", "html", "<p>\u200b</p>\n", "<p>\\u200b</p>\n"],
  ["the program's own colours", "text", "\u001b[31mred\u001b[39m \u001b[2J\n", "\u001b[31mred\u001b[39m \\x1b[2J\n"],
  ["letters of any script", "csv", "größe 日本 😀\n", "größe 日本 😀\n"],
])("%s", async (_what, format, text, expected) => {
  expect(await shown(format, [text])).toBe(expected);
  // Each byte is a chunk.
  const bytes = [...Buffer.from(text)].map((byte) => Buffer.of(byte));
  if (format !== "text" && !text.includes("\r")) expect(await shown(format, bytes)).toBe(expected);
});

test("a stream that is no terminal is used as it is", () => {
  const pipe = new PassThrough();
  expect(fitForTerminal(pipe, "csv")).toBe(pipe);
});
