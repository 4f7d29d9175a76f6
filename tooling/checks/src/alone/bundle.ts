// The text of a module in, one minified program for browsers out, with all it imports; an import that only Node has is an error.
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { type Plugin, build } from "vite";

/** What is made of the module: a module again, or a script that puts its exports on a global name. */
export interface BundleOptions {
  /** The folder against which the module's imports are resolved. */
  readonly folder: string;
  /** The global name of a script; without it the bundle is a module. */
  readonly globalName?: string;
}

/** Bundles a module as a web app would, without stand-ins for what browsers lack. Rejects with what cannot be bundled. */
export async function bundleForBrowsers(source: string, { folder, globalName }: BundleOptions): Promise<string> {
  const entry = join(folder, "bundled-entry.js");
  const { output } = (await build({
    configFile: false,
    envFile: false,
    root: folder,
    logLevel: "silent",
    plugins: [entryPlugin(entry, source)],
    build: {
      write: false,
      target: "es2023",
      minify: true,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: "strict",
        output:
          globalName === undefined
            ? { format: "es", codeSplitting: false }
            : { format: "iife", name: globalName, codeSplitting: false },
      },
    },
  })) as { output: readonly { readonly type: string; readonly code?: string }[] };
  const [chunk, ...more] = output;
  if (chunk?.code === undefined || more.length > 0) throw new Error("the bundle is not one program");
  return chunk.code;
}

function entryPlugin(entry: string, source: string): Plugin {
  return {
    name: "entry",
    enforce: "pre",
    resolveId(id, importer) {
      if (id === entry) return entry;
      // Left alone, these would become empty modules, and fail only where they are used.
      if (isBuiltin(id)) throw new Error(`${importer ?? "the entry"} imports ${id}, which only Node has`);
      return undefined;
    },
    load: (id) => (id === entry ? source : undefined),
  };
}
