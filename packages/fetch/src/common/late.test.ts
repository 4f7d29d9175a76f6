// A module that fails to load is loaded again on its next use; the failed use rejects with a failure.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RefusedError } from "./failures.ts";
import { createLateModule } from "./late.ts";

test("a module is loaded once, and again after a failure", async () => {
  let loads = 0;
  const load = (): Promise<unknown> => {
    loads++;
    return loads === 1 ? Promise.reject(new Error("EMFILE")) : Promise.resolve({});
  };
  const late = createLateModule<{ Client: unknown }>("basic-ftp", load as () => Promise<{ Client: unknown }>);
  const first = await late().catch((error: unknown) => error);
  expect(first).toBeInstanceOf(RefusedError);
  expect((first as RefusedError).failure).toMatchObject({ code: "local-resources" });
  const [second, third] = await Promise.all([late(), late()]);
  expect([typeof second.Client, second === third, loads]).toEqual(["function", true, 1]);
});

test.skipIf(process.platform === "win32")(
  "loading fails without file descriptors, and succeeds once they are free again",
  () => {
    const program = fileURLToPath(new URL("../../test/late-modules.ts", import.meta.url));
    const { stdout, stderr } = spawnSync("/bin/sh", ["-c", `ulimit -n 64; exec "$0" "$1"`, process.execPath, program], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(stdout, stderr).toBe("undici local-resources loaded\nbasic-ftp local-resources loaded\n");
  },
);
