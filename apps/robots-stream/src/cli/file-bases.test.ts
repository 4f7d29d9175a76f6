// Tests the base of each file of a run, or the error, for values of --base.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { basesOf, findBases } from "./file-bases.ts";
import { makeFolder } from "../../test/folder.ts";

const folder = makeFolder();
const inFolder = (name: string): string => join(folder, name);
const files = ["a/shop.log", "a/shop.log.1", "b/news=1.log"].map(inFolder);

beforeAll(() => {
  mkdirSync(inFolder("a"));
  mkdirSync(inFolder("b"));
  for (const path of files) writeFileSync(path, "");
  symlinkSync(files[0]!, inFolder("link.log"));
});

/** The hosts of the files, and the number of notes. */
function found(values: readonly string[], of = files): readonly unknown[] {
  const { base, fileBases } = basesOf(values);
  const { baseOfFile, notes } = findBases(fileBases, of);
  return [of.map((path) => (baseOfFile.get(path) ?? base)?.host), notes.length];
}

test.each<[what: string, values: readonly string[], hosts: readonly (string | undefined)[], notes: number]>([
  ["none", [], [undefined, undefined, undefined], 0],
  ["one for all", ["https://x.example"], ["x.example", "x.example", "x.example"], 0],
  [
    "a file, and one for all others",
    ["a/shop.log=https://s.example", "https://x.example"],
    ["s.example", "x.example", "x.example"],
    0,
  ],
  ["a folder", ["a=http://s.example:8080"], ["s.example:8080", "s.example:8080", undefined], 0],
  ["a pattern", ["*/*.log=https://s.example"], ["s.example", undefined, "s.example"], 0],
  [
    "a file of a folder",
    ["a=https://s.example", "a/shop.log.1=https://t.example"],
    ["s.example", "t.example", undefined],
    0,
  ],
  [
    "a file before its folder",
    ["a/shop.log.1=https://t.example", "a=https://s.example"],
    ["s.example", "t.example", undefined],
    0,
  ],
  ["a name with =", ["b/news=1.log=https://n.example"], [undefined, undefined, "n.example"], 0],
  ["a link to a file", ["link.log=https://l.example"], ["l.example", undefined, undefined], 0],
  [
    "the same base twice",
    ["a=https://s.example", "a/*.log=https://s.example"],
    ["s.example", "s.example", undefined],
    0,
  ],
  ["no file of the run", ["c/*=https://s.example", "none.log=https://s.example"], [undefined, undefined, undefined], 2],
])("%s", (_what, values, hosts, notes) => {
  const named = values.map((value) => (value.startsWith("http") ? value : inFolder(value)));
  expect(found(named)).toEqual([hosts, notes]);
});

test("stdin is the file -", () => {
  expect(found(["-=https://s.example"], ["-"])).toEqual([["s.example"], 0]);
});

test.each<[values: readonly string[], message: RegExp]>([
  [["https://a.example", "https://b.example"], /--base is given twice for all files/],
  [["a=b.example"], /--base a=b\.example: must be an http or https origin/],
  [["a=ftp://b.example"], /--base a=ftp:\/\/b\.example: must be an http or https origin/],
  [["h.example/?token=secret"], /--base …: must be an http or https origin/],
  [["=https://b.example"], /names no file before =/],
  [["a=https://b.example/path"], /must be an http or https origin/],
  [["host:a=https://b.example", "host:A=https://c.example"], /--base is given twice for the host a/],
  [["host:=https://b.example"], /--base host:: is not a host, with or without a port/],
  [["host:*=https://b.example"], /--base host:\*: is not a host/],
  [["host:_=https://b.example"], /--base host:_: is a placeholder, which names no host/],
  [["host:a/b=https://b.example"], /--base host:a\/b: is not a host/],
  [["host:a=b.example"], /must be an http or https origin/],
  [["host:a=https://b.example/x"], /must be an http or https origin/],
  [["https://a.example/?x=1"], /must be an http or https origin/],
])("%j: wrong usage", (values, message) => {
  expect(() => basesOf(values)).toThrow(message);
});

test("bases of hosts and bases of files can be combined", () => {
  const { base, fileBases, hostBases } = basesOf([
    "host:WWW=https://www.shop.example",
    "https://x.example",
    "host:shop:8080=http://shop.example:81",
    "host:[2001:DB8::1]=https://six.example",
    "a=https://s.example",
  ]);
  expect([base?.host, fileBases.length]).toEqual(["x.example", 1]);
  expect([...hostBases!].map(([host, { scheme, host: to }]) => [host, `${scheme}://${to}`])).toEqual([
    ["www", "https://www.shop.example"],
    ["shop:8080", "http://shop.example:81"],
    ["[2001:db8::1]", "https://six.example"],
  ]);
  // A host name with a dot at its end names the same host.
  expect([
    ...basesOf(["host:Shop.Example.:8080=https://a.example", "host:b.=https://b.example"]).hostBases!.keys(),
  ]).toEqual(["shop.example:8080", "b"]);
  expect(() => basesOf(["host:b.=https://b.example", "host:b=https://c.example"])).toThrow(/twice for the host/);
  // A file whose name begins with `host:`, written with its folder.
  expect(basesOf(["./host:a=https://b.example"])).toMatchObject({
    fileBases: [{ path: "./host:a" }],
    hostBases: undefined,
  });
});

test("two bases of one file are an error that names both", () => {
  const values = [`${inFolder("a")}=https://s.example`, `${inFolder("a/*.1")}=https://t.example`];
  expect(() => found(values)).toThrow(/shop\.log\.1: has two bases: --base .*a=https:\/\/s\.example and --base/);
});
