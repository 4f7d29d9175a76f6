// Measures the sizes of built entry points and of the playground; compares them with their limits and with docs/PACKAGES.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { builtPlayground } from "./playground-page.ts";
import { librariesOf } from "../workspace.ts";
import { bundleForBrowsers } from "./bundle.ts";

/** An entry point whose size is checked. */
interface SizedEntry {
  readonly specifier: string;
  /** The built file, relative to the package's folder, if it is not the one that the manifest exports under this name. */
  readonly file?: string;
  /** The minified and gzipped size must be below this number of bytes. */
  readonly mostBytes?: number;
  /** Packages of this project that the size excludes, because a program that uses the entry point has these packages anyway. */
  readonly without?: readonly string[] | undefined;
  /** Whether the entry point imports Node modules, which the size excludes. */
  readonly forNode?: boolean | undefined;
}

const entries: readonly SizedEntry[] = [
  { specifier: "@robots-stream/core", mostBytes: 11_500 },
  { specifier: "@robots-stream/core/lint" },
  { specifier: "@robots-stream/core/product-tokens" },
  { specifier: "@robots-stream/core/records" },
  { specifier: "@robots-stream/url" },
  { specifier: "@robots-stream/url/ascii", mostBytes: 4500 },
  { specifier: "@robots-stream/logs" },
  { specifier: "@robots-stream/diff", without: ["@robots-stream/core"] },
  { specifier: "@robots-stream/census", without: ["@robots-stream/core"] },
  { specifier: "@robots-stream/audit" },
  { specifier: "@robots-stream/fetch", forNode: true },
  { specifier: "@robots-stream/fetch/platform" },
  { specifier: "@robots-stream/fetch/policy" },
  { specifier: "@robots-stream/fetch/history" },
  { specifier: "@robots-stream/engine", forNode: true },
  { specifier: "robots-stream", forNode: true },
  { specifier: "@robots-stream/agents" },
  { specifier: "@robots-stream/page", mostBytes: 10_000 },
  { specifier: "@robots-stream/page/html" },
  { specifier: "@robots-stream/verify", mostBytes: 10_000 },
  { specifier: "@robots-stream/robots-parser", file: "./dist/robots.js", mostBytes: 12_500 },
  { specifier: "@robots-stream/preferences", mostBytes: 10_000, without: ["@robots-stream/core"] },
];

/** The page that gives the sizes and what all packages require. */
const packagesPage = "docs/PACKAGES.md";

/** Tolerance of the page's figures: in kilobytes (`mostOff`), and as a share of the size (`mostShareOff`). The larger of the two applies. */
const mostOff = 0.2;
const mostShareOff = 0.05;

/** Returns one sentence for each problem. Prints the sizes. Needs built packages. */
export async function findSizeProblems(root: string): Promise<readonly string[]> {
  const problems: string[] = [];
  const page = readFileSync(join(root, packagesPage), "utf8");
  for (const { specifier, file, mostBytes, without, forNode } of entries) {
    const { folder, manifest } = librariesOf(root).find(({ manifest: { name } }) =>
      `${specifier}/`.startsWith(`${name}/`),
    )!;
    const exported = manifest.exports?.[`.${specifier.slice(manifest.name.length)}`] as { readonly default: string };
    const source = `export * from ${JSON.stringify(file ?? exported.default)};`;
    const { minified, gzipped } = await sizesOf(source, join(root, folder), { without, forNode });
    const bound = mostBytes === undefined ? "" : `, of ${mostBytes} at most`;
    console.log(`${specifier.padEnd(24)}  ${minified} bytes minified, ${gzipped} gzipped${bound}`);
    if (mostBytes !== undefined && gzipped >= mostBytes) {
      problems.push(`${specifier}: ${gzipped} bytes minified and gzipped, but must be below ${mostBytes}`);
    }
    problems.push(...figureProblems(page, specifier, gzipped));
  }
  return [...problems, ...readmeProblems(root), ...(await playgroundProblems())];
}

/** One sentence for each part that a library's README lacks: the install command, and the link to the page about all packages. */
function readmeProblems(root: string): readonly string[] {
  return librariesOf(root).flatMap(({ folder, manifest }) => {
    const readme = readFileSync(join(root, folder, "README.md"), "utf8");
    return [`npm install ${manifest.name}`, packagesPage]
      .filter((part) => !readme.includes(part))
      .map((part) => `${folder}/README.md: has no "${part}"`);
  });
}

/** Upper limit of the playground's single file, gzipped. */
const mostPlaygroundBytes = 250_000;

async function playgroundProblems(): Promise<readonly string[]> {
  const bytes = gzipSync(await builtPlayground(), { level: 9 }).length;
  const sentence = `apps/playground: ${bytes} bytes gzipped, of ${mostPlaygroundBytes} at most`;
  console.log(sentence);
  return bytes <= mostPlaygroundBytes ? [] : [sentence];
}

/**
 * Bundles a module with its imports, and resolves to its size in bytes: minified, and minified and gzipped. The options exclude some
 * imports.
 */
export async function sizesOf(
  source: string,
  folder: string,
  options: Pick<SizedEntry, "without" | "forNode"> = {},
): Promise<{ minified: number; gzipped: number }> {
  const code = Buffer.from(await bundleForBrowsers(source, { folder, ...options }));
  return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}

/** Problems of the size that a page gives for an entry point, in a table row such as "| `name` | 11.9 KB |". */
export function figureProblems(page: string, specifier: string, gzipped: number): readonly string[] {
  const rows = page.split("\n").filter((line) => line.startsWith(`| \`${specifier}\` |`));
  const told = /\| (\d+\.\d) KB \|/u.exec(rows.join("\n"))?.[1];
  if (told === undefined) return [`${packagesPage}: states no size for ${specifier}`];
  const measured = gzipped / 1000;
  return Math.abs(Number(told) - measured) <= Math.max(mostOff, mostShareOff * measured)
    ? []
    : [`${packagesPage}: states ${told} KB for ${specifier}, which has ${measured.toFixed(1)} KB`];
}
