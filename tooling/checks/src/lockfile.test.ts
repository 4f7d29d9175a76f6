// Tests the problems of invented lockfiles.
import { describe, expect, test } from "vitest";
import { addressProblems, findLockfileProblems, missingPlatforms } from "./lockfile.ts";
import { checkout } from "./workspace.ts";

const lockfile = `lockfileVersion: '9.0'

importers:

  .:
    devDependencies:
      tool:
        specifier: 1.0.0
        version: 1.0.0

packages:

  '@tool/linux-x64@1.0.0':
    resolution: {integrity: sha512-AAAA==}
    os: [linux]

  fsevents@2.3.3:
    resolution: {integrity: sha512-BBBB==}

  tool@1.0.0:
    resolution: {integrity: sha512-CCCC==}

snapshots:

  '@tool/win32-x64@1.0.0':
    optional: true
`;

describe("missingPlatforms", () => {
  test.each([
    ["there", { "@tool/linux-x64": "1.0.0" }, 0],
    ["there, by range", { fsevents: "~2.3.2" }, 0],
    ["another version", { "@tool/linux-x64": "1.0.1" }, 1],
    ["not there", { "@tool/darwin-arm64": "1.0.0" }, 1],
    ["not there, by range", { missing: "^1.0.0" }, 1],
    ["only in another section", { "@tool/win32-x64": "1.0.0" }, 1],
    ["part of a name", { "linux-x64": "1.0.0" }, 1],
  ])("%s", (_what, optionalDependencies, count) => {
    const problems = missingPlatforms(lockfile, [{ name: "tool", version: "1.0.0", optionalDependencies }]);
    expect(problems).toHaveLength(count);
    for (const problem of problems) expect(problem).toContain(Object.keys(optionalDependencies)[0]);
  });
});

describe("addressProblems", () => {
  test.each([
    ["none", lockfile, 0],
    ["a tarball", lockfile.replace("{integrity", "{tarball: x, integrity"), 1],
    ["a name that ends in file", `${lockfile}      get-caller-file: 2.0.5\n`, 0],
    ["a file", `${lockfile}      version: file:../a\n`, 1],
    ["a host", `${lockfile}  a: https://example.com/a.tgz\n`, 1],
    ["a deprecation notice", `${lockfile}    deprecated: see https://example.com\n`, 0],
  ])("%s", (_what, text, count) => {
    expect(addressProblems(text)).toHaveLength(count);
  });
});

test("this checkout's lockfile has no problems", () => {
  expect(findLockfileProblems(checkout)).toEqual([]);
});
