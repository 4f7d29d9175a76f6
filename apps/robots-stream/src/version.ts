// Reads the version of the package from its manifest, which is in the folder above this file, also after compiling or bundling.
import { readFileSync } from "node:fs";

/** The version of the package that contains this file. */
export function versionOf(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
