// A module that is loaded when it is first needed → the same module from then on. Loading may fail, when no file descriptor is
// left, and is tried again then.
import { createRequire } from "node:module";
import { RefusedError } from "./failure-codes.ts";

/**
 * `load` is the import() of the CommonJS package `name`. What is given back loads it once; while that fails it rejects with a
 * `RefusedError` with the code `local-resources`, because the reason is on this machine.
 */
export function createLateModule<T>(name: string, load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  let hasFailed = false;
  const loadAgain = async (): Promise<T> => createRequire(import.meta.url)(name) as T;
  return () =>
    // Node 22 keeps the failure of an import() for good, and gives it again. It keeps no failure of require.
    (loading ??= (hasFailed ? loadAgain() : load()).catch((error: unknown) => {
      hasFailed = true;
      loading = undefined;
      const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
      throw new RefusedError({ code: "local-resources", message: `${name} could not be loaded: ${why}` });
    }));
}
