// The version of the package, from its manifest, which stands above this file wherever it is compiled or bundled to.
import { readFileSync } from "node:fs";

/** The version of the package this file is in. */
export function versionOf(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
