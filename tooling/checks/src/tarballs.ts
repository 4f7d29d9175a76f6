// Packs the built packages and installs them with npm in an empty project, as a user gets them from the registry. There, the types of every
// entry point resolve and compile, supported runtimes load and run the packages, and older ones are refused with a message.
import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { bring, runtimes } from "./alone/runtimes.ts";
import { type PackedProject, install, nodeOf, ownEnvironment, withPacked } from "./packed/pack.ts";
import { runQuietly, runToEnd } from "./process.ts";
import { type Manifest, type Package, librariesOf, readJson } from "./workspace.ts";

/** A program that uses the installed packages and prints its results. */
const consumer = `
import { createMatcher, explain, parseRobotsTxt } from "@robots-stream/core";
import { lint } from "@robots-stream/core/lint";
import { parseTarget, robotsUrlOf } from "@robots-stream/url";
import { productTokenOf } from "@robots-stream/agents";
import { createRobotsClient } from "@robots-stream/fetch";
import { createSavedRobots, decideStream } from "robots-stream";
const { origin, target } = parseTarget("HTTPS://Example.com:443/private/x?y=1#z");
const decision = createMatcher(parseRobotsTxt("user-agent: *\\ndisallow: /private\\n"), productTokenOf("bingbot/2.0")).decideTarget(target);
const client = createRobotsClient();
await client.close();
const decisions = decideStream({ agents: "bingbot", robots: createSavedRobots("robots.txt"), input: ["https://example.com/private/x"] });
for await (const [{ allowed, line }] of decisions) console.log(allowed, line);
console.log([robotsUrlOf(origin), decision.allowed, decision.rule?.line, typeof explain(decision), lint("Disalow: /")[0].code].join(" "));
`;
const consumerSays = "false 2\nhttps://example.com/robots.txt false 2 string forgiven-typo";

/** A program that imports and requires the entry points that it is told, and uses robots-parser in both ways. */
const loader = `
import { createRequire } from "node:module";
import process from "node:process";
const require = createRequire(import.meta.url);
for (const name of process.argv.slice(2)) {
  for (const found of [await import(name), require(name)]) if (typeof found !== "function" && Object.keys(found).length === 0) console.log(name, "exports nothing");
}
const { default: imported } = await import("@robots-stream/robots-parser");
for (const parser of [imported, require("@robots-stream/robots-parser")]) {
  console.log(parser("/robots.txt", "user-agent: *\\ndisallow: /p").isAllowed("/p"));
}
`;

const robotsTxt = "user-agent: *\ndisallow: /private\n";
const record = '{"url":"https://example.com/private/x"}\n';

/** A program that imports the entry points which need a supported Node, and prints the error of each import. */
const oldConsumer = `
const names = ["robots-stream", "@robots-stream/engine"].concat(
  ["", "/redis", "/sqlite", "/transports"].map((entry) => "@robots-stream/fetch" + entry),
);
for (const name of names) {
  await import(name).then(() => console.log(name, "was imported"), ({ code, message }) => console.log(name, code, message));
}
`;

/** The oldest TypeScript that the READMEs name. */
const oldestTypeScript = "5.8.3";
/** The supported Node versions to test, the oldest first. */
const supported = ["22.19.0", "24.21.0", "26.10.0"];
/** Further Node versions that run the libraries which need no supported Node. */
const supportedByMost = ["20.19.5", "22.12.0"];
/**
 * Node versions that must be refused: one of each even major version from 12, the first that can parse the command's first file, to 20; two
 * of 22 that are too old; and 23.
 */
const refused = ["12.22.12", "14.21.3", "16.20.2", "18.20.8", "20.19.5", "22.0.0", "22.18.0", "23.0.0"];

/** Returns one sentence for each problem. Needs npm, pnpm on the PATH, and built packages. */
export function findTarballProblems(root: string): Promise<readonly string[]> {
  return withPacked(root, async (project) => {
    const { folder, tarballs } = project;
    const libraries = librariesOf(root);
    const problems = [
      ...(await Promise.all(tarballs.map((tarball) => contentProblems(folder, tarball)))).flat(),
      ...(await resolutionProblems(root, project, libraries)),
    ];
    for (const [name, program] of [
      ["consumer.mjs", consumer],
      ["loader.mjs", loader],
      ["old.mjs", oldConsumer],
      ["robots.txt", robotsTxt],
    ] as const) {
      writeFileSync(join(folder, name), program);
    }
    const { version } = readJson<{ version: string }>(
      join(root, "tooling/checks/node_modules/@types/node/package.json"),
    );
    await install(project, [`typescript@${oldestTypeScript}`, `@types/node@${version}`, "@redis/client"]);
    const all = entriesOf(libraries);
    const most = entriesOf(libraries.filter(({ manifest }) => manifest.engines?.node === ">=20"));
    problems.push(
      ...(await declarationProblems(project, most, [])),
      ...(await declarationProblems(project, all, ["node"])),
    );
    for (const each of supportedByMost)
      problems.push(...(await loadProblems(project, await nodeOf(root, each), [], most)));
    for (const runtime of runtimes.filter(({ packaged }) => packaged !== undefined)) {
      problems.push(...(await loadProblems(project, await bring(runtime, folder), runtime.args, most)));
    }
    for (const each of supported) {
      const node = await nodeOf(root, each);
      problems.push(...(await loadProblems(project, node, [], all)), ...(await useProblems(project, node)));
    }
    for (const each of refused) problems.push(...(await refusalProblems(project, await nodeOf(root, each))));
    return problems;
  });
}

/** The specifiers of all modules that these libraries export: "@robots-stream/core/lint". */
function entriesOf(libraries: readonly Package[]): readonly string[] {
  return libraries.flatMap(({ manifest }) => modulesOf(manifest).map((key) => `${manifest.name}${key.slice(1)}`));
}

/** The keys of a manifest's exports that are modules, not data: ".", "./lint". */
function modulesOf({ exports = {} }: Manifest): readonly string[] {
  return Object.keys(exports).filter((key) => !/\.(?:nd)?json$/u.test(key));
}

/** Problems of a tarball's content: it must contain every file that users need, and no file that only the project needs. */
async function contentProblems(folder: string, tarball: string): Promise<readonly string[]> {
  const listing = await runQuietly("tar", ["-tzf", tarball], { cwd: folder });
  const files = listing.split("\n").map((line) => line.replace(/^package\//u, ""));
  const wanted = ["package.json", "README.md", "LICENSE"].filter((file) => !files.includes(file));
  const unwanted = files.filter((file) => /\.test\.|\/fixtures\/|tsbuildinfo|^test\//u.test(file));
  return [
    ...wanted.map((file) => `${tarball}: has no ${file}`),
    ...unwanted.map((file) => `${tarball}: holds ${file}`),
    ...(files.some((file) => file.startsWith("dist/")) ? [] : [`${tarball}: has no dist/`]),
  ];
}

/** What @arethetypeswrong/cli says about the entry points: with each module resolution, types resolve to the kind of module that runs. */
async function resolutionProblems(
  root: string,
  { folder }: PackedProject,
  libraries: readonly Package[],
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { manifest } of libraries) {
    const tarball = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
    // robots-parser replaces a CommonJS package; `require` of the other libraries gives an ES module.
    const profile = manifest.name.endsWith("/robots-parser") ? "strict" : "esm-only";
    const cli = join(root, "tooling/checks/node_modules/@arethetypeswrong/cli/dist/index.js");
    const options = ["--profile", profile, "--format", "ascii", "--no-color", "--no-emoji"];
    const args = [cli, tarball, ...options, "--entrypoints", ...modulesOf(manifest)];
    const { code, stdout, stderr } = runToEnd(process.execPath, args, { cwd: folder });
    if (code !== 0) problems.push(`${tarball}: ${stdout}${stderr}`);
  }
  return problems;
}

/** Problems of the declarations of these entry points, compiled by the oldest TypeScript with only these ambient types. */
async function declarationProblems(
  { folder }: PackedProject,
  entries: readonly string[],
  types: readonly string[],
): Promise<readonly string[]> {
  const program = entries.map((name, index) => `export * as e${index} from "${name}";\n`).join("");
  writeFileSync(join(folder, "entries.mts"), program);
  const compilerOptions = {
    module: "nodenext",
    target: "es2023",
    lib: ["es2023"],
    types,
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["entries.mts"] }));
  const { code, stdout } = runToEnd(process.execPath, ["node_modules/typescript/bin/tsc"], { cwd: folder });
  return code === 0 ? [] : [`TypeScript ${oldestTypeScript}: ${stdout}`];
}

/** Problems of importing and requiring these entry points in a runtime. */
async function loadProblems(
  { folder }: PackedProject,
  runtime: string,
  args: readonly string[],
  entries: readonly string[],
): Promise<readonly string[]> {
  const env = { ...ownEnvironment(), DENO_DIR: join(folder, "deno"), DENO_NO_UPDATE_CHECK: "1" };
  const { code, stdout, stderr } = runToEnd(runtime, [...args, "loader.mjs", ...entries], { cwd: folder, env });
  return code === 0 && stdout === "false\nfalse\n" ? [] : [`${runtime}: ${stdout}${stderr}`];
}

async function useProblems({ folder }: PackedProject, node: string): Promise<readonly string[]> {
  const said = (await runQuietly(node, ["consumer.mjs"], { cwd: folder })).trim();
  const env = environmentOf(folder, node);
  const args = ["robots-stream", "--agent", "bingbot", "--robots", "robots.txt"];
  const decided = await runQuietly("npx", args, { cwd: folder, input: record, env });
  return [
    ...(said === consumerSays ? [] : [`${node}: the installed packages printed ${JSON.stringify(said)}`]),
    ...(decided.includes('"allowed":false') && decided.includes('"line":2')
      ? []
      : [`${node}: the installed app printed ${JSON.stringify(decided)}`]),
  ];
}

/** Problems of a refusal: on an old Node the command prints one sentence and exits as for wrong usage; imports throw the same sentence. */
async function refusalProblems({ folder }: PackedProject, node: string): Promise<readonly string[]> {
  const version = (await runQuietly(node, ["--version"], { cwd: folder })).trim().slice(1);
  const message = `this is Node ${version}, but Node 22.19 or a later 22, or Node 24 or later is needed`;
  const command = join(folder, "node_modules/.bin/robots-stream");
  const ended = runToEnd(command, ["--help"], { cwd: folder, env: environmentOf(folder, node) });
  const problems =
    ended.code === 2 && ended.stdout === "" && ended.stderr === `robots-stream: ${message}\n`
      ? []
      : [`Node ${version}: the command ended with ${JSON.stringify(ended)}`];
  // Node versions below 18 cannot parse the packages. For them, only the manifests state the supported versions, at install time.
  if (Number.parseInt(version, 10) < 18) return problems;
  const said = (await runQuietly(node, ["--no-warnings", "old.mjs"], { cwd: folder })).trim();
  for (const line of said.split("\n")) {
    if (!line.endsWith(`ERR_UNSUPPORTED_NODE robots-stream: ${message}`)) problems.push(`Node ${version}: ${line}`);
  }
  return problems;
}

/** The environment of a user whose `node` is the given one. */
function environmentOf(folder: string, node: string): NodeJS.ProcessEnv {
  const bin = mkdtempSync(join(folder, "node-"));
  symlinkSync(node, join(bin, "node"));
  return { ...ownEnvironment(), PATH: [bin, process.env["PATH"]].join(delimiter) };
}
