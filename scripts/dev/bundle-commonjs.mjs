// A compiled package in the current folder in, dist/index.cjs out: one CommonJS file whose `module.exports` is the default export, for
// programs that call `require`. Its types (types/index.d.cts) are copied beside it.
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
