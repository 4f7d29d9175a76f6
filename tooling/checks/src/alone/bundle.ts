// Bundles a module with all of its imports into one minified file for a browser. An import of a Node module is an error unless the options
// allow it.
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { type Plugin, build } from "vite";

/** The options of a bundle. A bundle is an ES module, or a script that assigns the exports to a global variable. */
export interface BundleOptions {
  /** The folder from which the module's imports are resolved. */
  readonly folder: string;
  /** The name of the script's global variable; without a name the bundle is an ES module. */
  readonly globalName?: string;
  /** Packages that are not bundled; the bundle keeps its imports of them. */
  readonly without?: readonly string[] | undefined;
  /** Whether the bundle may import Node modules. */
  readonly forNode?: boolean | undefined;
}

/**
 * Bundles the module with the text `source` as for a web app, without polyfills. Resolves to the bundle's text. Rejects if a part cannot be
 * bundled.
 */
export async function bundleForBrowsers(source: string, options: BundleOptions): Promise<string> {
  const { folder, globalName, without = [], forNode = false } = options;
  const entry = join(folder, "bundled-entry.js");
  const { output } = (await build({
    configFile: false,
    envFile: false,
    root: folder,
    logLevel: "silent",
    plugins: [entryPlugin(entry, source, forNode)],
    // Under a browser's conditions some packages provide other files.
    ...(forNode ? { resolve: { conditions: ["node", "module", "default"], mainFields: ["module", "main"] } } : {}),
    build: {
      write: false,
      target: "es2023",
      minify: true,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        external: (id) => without.some((name) => id === name || id.startsWith(`${name}/`)),
        preserveEntrySignatures: "strict",
        output:
          globalName === undefined
            ? { format: "es", codeSplitting: false }
            : { format: "iife", name: globalName, codeSplitting: false },
      },
    },
  })) as { output: readonly { readonly type: string; readonly code?: string }[] };
  const [chunk, ...more] = output;
  if (chunk?.code === undefined || more.length > 0) throw new Error("the bundle is not a single file");
  return chunk.code;
}

function entryPlugin(entry: string, source: string, forNode: boolean): Plugin {
  return {
    name: "entry",
    enforce: "pre",
    resolveId(id, importer) {
      if (id === entry) return entry;
      // Without the error below, imports of Node modules would become empty modules and fail only at run time.
      if (isBuiltin(id) && forNode) return { id, external: true };
      if (isBuiltin(id)) throw new Error(`${importer ?? "the entry"} imports ${id}, which only Node has`);
      return undefined;
    },
    load: (id) => (id === entry ? source : undefined),
  };
}
