// Loads a module on first use. When loading fails, for example because no file descriptor is left, the next use tries again.
import { createRequire } from "node:module";
import { RefusedError } from "./failures.ts";

/**
 * Returns a function that loads the CommonJS package `name` once. `load` is the import() of the package. When loading fails, the returned
 * function rejects with a `RefusedError` with the code `local-resources`, because the cause is on this machine.
 */
export function createLateModule<T>(name: string, load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  let hasFailed = false;
  const loadAgain = async (): Promise<T> => createRequire(import.meta.url)(name) as T;
  return () =>
    // Node 22 caches the failure of an import() for ever, but not the failure of a require().
    (loading ??= (hasFailed ? loadAgain() : load()).catch((error: unknown) => {
      hasFailed = true;
      loading = undefined;
      const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
      throw new RefusedError({ code: "local-resources", message: `${name} could not be loaded: ${why}` });
    }));
}
