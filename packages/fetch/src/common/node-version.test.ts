// Tests which versions of the runtime are refused, and that `engines` of the manifests agrees.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { oldNodeMessage, supportedNodes } from "./node-version.ts";

const needed = "but Node 22.19 or a later 22, or Node 24 or later is needed";

test.each<[versions: Record<string, string>, message: string | undefined]>([
  [{ node: "12.17.0" }, `this is Node 12.17.0, ${needed}`],
  [{ node: "18.20.8" }, `this is Node 18.20.8, ${needed}`],
  [{ node: "20.20.2" }, `this is Node 20.20.2, ${needed}`],
  [{ node: "22.0.0" }, `this is Node 22.0.0, ${needed}`],
  [{ node: "22.18.0" }, `this is Node 22.18.0, ${needed}`],
  [{ node: "22.19.0" }, undefined],
  // The first versions of Node 23 lack zstd.
  [{ node: "23.6.1" }, `this is Node 23.6.1, ${needed}`],
  [{ node: "24.0.0" }, undefined],
  [{ node: "26.10.0" }, undefined],
  [{ node: "20.11.1", deno: "2.1.0" }, undefined],
  [{ node: "22.6.0", bun: "1.2.0" }, undefined],
])("%j", (versions, message) => {
  expect(oldNodeMessage(versions)).toBe(message);
});

test.each(["packages/fetch", "packages/engine", "apps/robots-stream"])("the manifest of %s agrees", (folder) => {
  const manifest = JSON.parse(readFileSync(new URL(`../../../../${folder}/package.json`, import.meta.url), "utf8")) as {
    readonly engines: { readonly node: string };
  };
  expect(manifest.engines.node).toBe(supportedNodes);
});
