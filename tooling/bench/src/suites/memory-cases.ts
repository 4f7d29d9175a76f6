// Lists the files whose parsed forms are measured, and the kinds of objects that the measurement holds per file.
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { createOneGroupFile, createOrdinaryFile, createRobotsFiles } from "../data/robots-files.ts";
import { createUrls } from "../data/urls.ts";
import { robotsParser } from "../robots-parser.ts";

/** Files of one kind. */
export interface MemoryCase {
  readonly name: string;
  readonly isLarge: boolean;
  readonly create: (seed: number, quick: boolean) => string[];
}

const bytesOfLarge = 512_000;

function repeated(line: string): string {
  return `User-agent: *\n${line.repeat(Math.floor(bytesOfLarge / line.length))}`;
}

export const memoryCases: readonly MemoryCase[] = [
  {
    name: "500 KB, many groups",
    isLarge: true,
    create: (seed) => [0, 1, 2, 3].map((at) => createOrdinaryFile(bytesOfLarge, seed + at)),
  },
  {
    name: "500 KB, one group",
    isLarge: true,
    create: (seed) => [0, 1, 2, 3].map((at) => createOneGroupFile(bytesOfLarge, seed + at)),
  },
  {
    name: "500 KB of tiny rules",
    isLarge: true,
    create: () => ["allow:\n", "allow:*a\n", "allow:/\n", "allow:/b\n"].map(repeated),
  },
  {
    name: "500 KB of tiny groups",
    isLarge: true,
    create: () => ["user-agent:*\nallow:\n", "user-agent:*\nallow:a\n", "user-agent:a\nallow:\n"].map(repeated),
  },
  {
    name: "10,000 origins (mean 2 KB)",
    isLarge: false,
    create: (seed, quick) => createRobotsFiles(quick ? 100 : 10_000, seed),
  },
];

/** A kind of object that is held per file. */
export interface Holding {
  readonly name: string;
  readonly hold: (file: Uint8Array) => unknown;
}

const urls = createUrls("https://www.example.com", 1000, 1);

function matcherAfter(file: Uint8Array, decisions: number): unknown {
  const matcher = createMatcher(parseRobotsTxt(file), "bingbot");
  for (let at = 0; at < decisions; at++) matcher.decide(urls[at % urls.length]!);
  return matcher;
}

export const holdings: readonly Holding[] = [
  { name: "parsed file", hold: (file) => parseRobotsTxt(file) },
  {
    name: "parsed file, groups read",
    hold: (file) => {
      const robots = parseRobotsTxt(file);
      return robots.groups.length < 0 ? undefined : robots;
    },
  },
  { name: "matcher, decided once", hold: (file) => matcherAfter(file, 1) },
  { name: "matcher, hot", hold: (file) => matcherAfter(file, 1000) },
  {
    name: "robots-parser",
    hold: (file) => robotsParser("https://www.example.com/robots.txt", Buffer.from(file).toString()),
  },
];
