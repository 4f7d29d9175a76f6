// The built packages in, what each entry point costs a web page out, and whether that is more than it may or other than is said.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundleForBrowsers } from "./bundle.ts";

/** An entry point whose size is told. */
interface SizedEntry {
  readonly specifier: string;
  /** Built file that the entry point stands for. */
  readonly file: string;
  /** It may be smaller than this. */
  readonly mostBytes?: number;
}

const folder = "packages/core";

const entries: readonly SizedEntry[] = [
  { specifier: "@robots-stream/core", file: "./dist/index.js", mostBytes: 13_000 },
  { specifier: "@robots-stream/core/lint", file: "./dist/lint.js" },
];

/** The README's figures may be this much off: it tells tenths of a kilobyte. */
const mostOff = 0.2;

/** One sentence for each problem; empty when all is well. Prints the sizes. core must be built. */
export async function findSizeProblems(root: string): Promise<readonly string[]> {
  const readme = readFileSync(join(root, folder, "README.md"), "utf8");
  const problems: string[] = [];
  for (const { specifier, file, mostBytes } of entries) {
    const { minified, gzipped } = await sizesOf(`export * from ${JSON.stringify(file)};`, join(root, folder));
    const bound = mostBytes === undefined ? "" : `, of ${mostBytes} at most`;
    console.log(`${specifier.padEnd(24)}  ${minified} bytes minified, ${gzipped} gzipped${bound}`);
    if (mostBytes !== undefined && gzipped >= mostBytes) {
      problems.push(`${specifier}: ${gzipped} bytes minified and gzipped, and has to stay below ${mostBytes}`);
    }
    problems.push(...figureProblems(readme, specifier, gzipped));
  }
  return problems;
}

/** Bytes of a module with all it imports, minified, and that gzipped. */
export async function sizesOf(source: string, within: string): Promise<{ minified: number; gzipped: number }> {
  const code = Buffer.from(await bundleForBrowsers(source, { folder: within }));
  return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}

/** What is wrong with the size a README gives for an entry point, as a row "| `name` | 11.9 KB |" of a table. */
export function figureProblems(readme: string, specifier: string, gzipped: number): readonly string[] {
  const row = readme.split("\n").find((line) => line.startsWith(`| \`${specifier}\` |`));
  const told = /\| (\d+\.\d) KB \|/u.exec(row ?? "")?.[1];
  if (told === undefined) return [`${folder}/README.md: gives no size for ${specifier}`];
  const measured = gzipped / 1000;
  return Math.abs(Number(told) - measured) <= mostOff
    ? []
    : [`${folder}/README.md: gives ${told} KB for ${specifier}, which has ${measured.toFixed(1)} KB`];
}
