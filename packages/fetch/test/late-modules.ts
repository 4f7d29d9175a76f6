// Loads undici and basic-ftp while this process has no file descriptor left, then again with free descriptors; prints the results.
import { closeSync, openSync } from "node:fs";
import { RefusedError } from "../src/common/failures.ts";
import { createLateModule } from "../src/common/late.ts";

function openAll(): number[] {
  const open: number[] = [];
  try {
    for (;;) open.push(openSync("/dev/null", "r"));
  } catch {
    return open;
  }
}

const modules = {
  undici: () => import("undici") as Promise<unknown>,
  "basic-ftp": () => import("basic-ftp") as Promise<unknown>,
};
for (const [name, load] of Object.entries(modules)) {
  const late = createLateModule(name, load);
  const open = openAll();
  const first = await late().then(
    () => "loaded",
    (error: unknown) => (error instanceof RefusedError ? error.failure.code : "another error"),
  );
  for (const descriptor of open) closeSync(descriptor);
  await late();
  process.stdout.write(`${name} ${first} loaded\n`);
}
