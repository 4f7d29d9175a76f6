#!/usr/bin/env node
// Refuses a Node that is too old, or loads process.ts. This is the first file of the command. Node 12.17 and later can parse the file's
// bundle, because the bundle has no static import and no syntax newer than ES2018.
import { oldNodeMessage } from "@robots-stream/fetch/internal";

const tooOld = oldNodeMessage(process.versions);
if (tooOld === undefined) {
  // Normally the process ends with process.exit. If it ends in any other way, the exit code is that of a failed run (exitCodes.failed).
  process.exitCode = 3;
  void import("./process.ts");
} else {
  process.stderr.write(`robots-stream: ${tooOld}\n`);
  // Wrong usage (exitCodes.usage).
  process.exitCode = 2;
}
