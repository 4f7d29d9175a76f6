// Tests which versions of the runtime are refused, and that the manifest says the same.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { oldNodeMessage, oldestNode } from "./node-version.ts";

test.each<[versions: Record<string, string>, message: string | undefined]>([
  [{ node: "20.20.2" }, "this is Node 20.20.2, and at least 22.19 is needed"],
  [{ node: "22.18.0" }, "this is Node 22.18.0, and at least 22.19 is needed"],
  [{ node: "22.19.0" }, undefined],
  [{ node: "24.0.0" }, undefined],
  [{ node: "20.11.1", deno: "2.1.0" }, undefined],
  [{ node: "22.6.0", bun: "1.2.0" }, undefined],
])("%j", (versions, message) => {
  expect(oldNodeMessage(versions)).toBe(message);
});

test("the manifest has the same version", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly engines: { readonly node: string };
  };
  expect(manifest.engines.node).toBe(`>=${oldestNode.join(".")}`);
});
