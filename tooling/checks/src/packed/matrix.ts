// Uses the packed packages with each setting of TypeScript, module system and Node version that docs/PACKAGES.md promises. Returns one
// sentence for each setting with which a package fails.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bring, runtimes } from "../alone/runtimes.ts";
import { runQuietly } from "../process.ts";
import { librariesOf, readJson } from "../workspace.ts";
import { type PackedProject, install, nodeOf, ownEnvironment, withPacked } from "./pack.ts";
import { packedPrograms, plainRequire, requiredParser } from "./programs.ts";

/** The oldest TypeScript that docs/PACKAGES.md names. The other compiler is the repository's. */
const oldestTypeScript = "5.8.3";

/** The Node versions that run only the programs of packages that do not need Node, as CommonJS and as ES modules. */
const nodesOfAll = ["20.19.5", "22.12.0"];
/** The Node versions that run all programs. */
const nodesOfNode = ["22.19.0", "24.21.0", "26.10.0"];

/** How a project is compiled. */
interface Setting {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /**
   * The programs that are also compiled as CommonJS modules: all, none, or only the program of robots-parser, the package with a CommonJS
   * file.
   */
  readonly required: "all" | "robots-parser" | "none";
}

const settings: readonly Setting[] = [
  { name: "node16", options: { module: "node16", moduleResolution: "node16" }, required: "robots-parser" },
  { name: "nodenext", options: { module: "nodenext", moduleResolution: "nodenext" }, required: "all" },
  { name: "bundler", options: { module: "esnext", moduleResolution: "bundler" }, required: "none" },
];

/** Returns one sentence for each problem. Needs npm, pnpm on the PATH, and built packages. */
export function findMatrixProblems(root: string): Promise<readonly string[]> {
  return withPacked(root, async (project) => {
    const missing = librariesOf(root)
      .filter(({ manifest }) => !packedPrograms.some((program) => program.package === manifest.name))
      .map(({ manifest }) => `${manifest.name}: has no program in tooling/checks/src/packed/programs.ts`);
    const { version } = readJson<{ version: string }>(
      join(root, "tooling/checks/node_modules/@types/node/package.json"),
    );
    await install(project, [`typescript@${oldestTypeScript}`, `@types/node@${version}`, "@redis/client"]);
    writeFileSync(join(project.folder, "robots.txt"), "user-agent: *\ndisallow: /private\n");
    const compilers: readonly (readonly [string, string])[] = [
      [`TypeScript ${oldestTypeScript}`, join(project.folder, "node_modules/typescript/bin/tsc")],
      ["the repository's TypeScript", join(root, "node_modules/typescript/bin/tsc")],
    ];
    const problems: string[] = [...missing];
    for (const setting of settings) {
      writeProject(project, setting);
      for (const [compiler, path] of compilers) {
        for (const part of ["plain", "node"]) {
          const args = [path, "-p", join(setting.name, part, "tsconfig.json")];
          const problem = await failureOf(runQuietly(process.execPath, args, { cwd: project.folder }));
          if (problem !== undefined) problems.push(`${setting.name}, ${part}, ${compiler}: ${problem}`);
        }
      }
    }
    return problems.length > 0 ? problems : runAll(root, project);
  });
}

/** Writes the programs of a setting in two parts: `plain` programs are compiled without types of Node or the DOM, `node` programs with Node's. */
function writeProject({ folder }: PackedProject, { name, options, required }: Setting): void {
  for (const part of ["plain", "node"] as const) {
    const place = join(folder, name, part);
    mkdirSync(place, { recursive: true });
    const compilerOptions = {
      ...options,
      target: "es2023",
      lib: ["es2023"],
      types: part === "node" ? ["node"] : [],
      strict: true,
      exactOptionalPropertyTypes: true,
      esModuleInterop: true,
      // Check the packages' declarations too.
      skipLibCheck: false,
      rootDir: ".",
      outDir: "out",
    };
    writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    if (part === "plain") {
      writeFileSync(join(place, "console.d.ts"), "declare const console: { log(...values: unknown[]): void };\n");
    }
    for (const { source, ...program } of packedPrograms.filter(
      ({ forNode }) => (forNode ?? false) === (part === "node"),
    )) {
      const file = fileOf(program.package);
      writeFileSync(join(place, `${file}.mts`), source);
      if (required === "all" || (required === "robots-parser" && program.package.endsWith("/robots-parser"))) {
        writeFileSync(join(place, `${file}.cts`), source);
      }
    }
    if (part === "plain" && required !== "none") {
      writeFileSync(join(place, "required.cts"), requiredParser);
      writeFileSync(join(place, "plain.cjs"), plainRequire);
    }
  }
}

/** Runs the compiled programs on every Node of the two lists, and some of them in Deno and Bun. Returns one sentence for each problem. */
async function runAll(root: string, project: PackedProject): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const version of [...nodesOfAll, ...nodesOfNode]) {
    const node = await nodeOf(root, version);
    const runs = runsOf(nodesOfNode.includes(version));
    for (const [file, prints] of runs) {
      const run = runQuietly(node, ["--no-warnings", file], { cwd: project.folder, env: ownEnvironment() });
      const said = await run.then((text) => text.trim()).catch((error: unknown) => String(error));
      if (said !== prints) problems.push(`${file} on Node ${version} printed ${JSON.stringify(said.slice(0, 2000))}`);
    }
    console.log(`Node ${version}: ${runs.length} programs ran`);
  }
  return [...problems, ...(await runElsewhere(project))];
}

/** Runs the ES modules that need no Node in Deno and Bun. */
async function runElsewhere({ folder }: PackedProject): Promise<readonly string[]> {
  const problems: string[] = [];
  const programs = packedPrograms.filter(({ forNode = false }) => !forNode);
  for (const runtime of runtimes.filter(({ packaged }) => packaged !== undefined)) {
    const engine = await bring(runtime, folder);
    const env = { ...ownEnvironment(), DENO_DIR: join(folder, "deno"), DENO_NO_UPDATE_CHECK: "1" };
    for (const program of programs) {
      const file = `bundler/plain/out/${fileOf(program.package)}.mjs`;
      const run = runQuietly(engine, [...runtime.args, file], { cwd: folder, env });
      const said = await run.then((text) => text.trim()).catch((error: unknown) => String(error));
      if (said !== program.prints)
        problems.push(`${file} on ${runtime.name} printed ${JSON.stringify(said.slice(0, 2000))}`);
    }
    console.log(`${runtime.name} ${runtime.version}: ${programs.length} programs ran`);
  }
  return problems;
}

/** The files to run, and the expected output of each. */
function runsOf(withNode: boolean): readonly (readonly [file: string, prints: string])[] {
  return settings.flatMap(({ name, required }) => [
    ...packedPrograms
      .filter(({ forNode = false }) => withNode || !forNode)
      .flatMap((program): (readonly [string, string])[] => {
        const out = `${name}/${program.forNode === true ? "node" : "plain"}/out/${fileOf(program.package)}`;
        const isRequired = required === "all" || (required === "robots-parser" && out.endsWith("robots-parser"));
        return [[`${out}.mjs`, program.prints], ...(isRequired ? [[`${out}.cjs`, program.prints] as const] : [])];
      }),
    ...(required === "none"
      ? []
      : ([
          [`${name}/plain/out/required.cjs`, "false 2"],
          [`${name}/plain/plain.cjs`, "false 2"],
        ] as const)),
  ]);
}

function fileOf(name: string): string {
  return name.replace("@robots-stream/", "");
}

/** The message of a failed run; undefined if the run succeeds. */
async function failureOf(run: Promise<string>): Promise<string | undefined> {
  try {
    await run;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
