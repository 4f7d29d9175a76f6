// Tests the problems of invented lockfiles.
import { describe, expect, test } from "vitest";
import { addressProblems, findLockfileProblems, missingPlatforms, versionProblems } from "./lockfile.ts";
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
    ["a host", `${lockfile}  a: https://example.com/a.tgz\n`, 1],
    ["a deprecation notice", `${lockfile}    deprecated: see https://example.com\n`, 0],
  ])("%s", (_what, text, count) => {
    expect(addressProblems(text)).toHaveLength(count);
  });
});

describe("versionProblems", () => {
  const workspace = 'packages:\n  - a\n\ncatalog:\n  "@types/node": 24.0.0\n  vitest: 5.1.0\n';

  test.each([
    ["as in the catalog", [{ vitest: "5.1.0" }, { vitest: "catalog:" }], 0],
    ["not as in the catalog", [{ vitest: "5.1.1" }], 1],
    ["a name with a scope", [{ "@types/node": "26.0.0" }], 1],
    ["two manifests that agree", [{ vite: "8.3.8" }, { vite: "8.3.8" }], 0],
    ["two manifests that do not", [{ vite: "8.3.8" }, { vite: "8.3.9" }], 1],
  ])("%s", (_what, dependencies, count) => {
    const manifests = dependencies.map((devDependencies, index) => ({ name: `p${index}`, devDependencies }));
    expect(versionProblems(workspace, manifests)).toHaveLength(count);
  });
});

test("this checkout's lockfile has no problems", () => {
  expect(findLockfileProblems(checkout)).toEqual([]);
});
