// Bundles the compiled package in the current folder into dist/index.cjs, a CommonJS file whose `module.exports` is the default export, for
// programs that call `require`. Copies its types (types/index.d.cts) into dist/.
import { copyFileSync } from "node:fs";
import { rolldown } from "rolldown";
import { Failure } from "./run.mjs";

const build = await rolldown({
  input: "dist/index.js",
  platform: "neutral",
  onLog(_level, { message }) {
    throw new Failure(message);
  },
});
await build.write({ file: "dist/index.cjs", format: "cjs", exports: "default", codeSplitting: false });
await build.close();
copyFileSync("types/index.d.cts", "dist/index.d.cts");
