// Writes the API of the published packages as HTML from their sources, or, with --check, only checks that it is documented.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Application, LogLevel, Logger, type ProjectReflection, ReflectionKind, type TypeDocOptions } from "typedoc";

/** An entry point: its import name, and the file that lists its exports. */
export interface EntryPoint {
  readonly specifier: string;
  readonly file: string;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const checkout = resolve(import.meta.dirname, "../../..");
/** Entry points that are documented as unstable. */
const unstable: ReadonlySet<string> = new Set(["./internal", "./start"]);

const htmlFolder = join(checkout, "docs/api");

/** The entry points of the published packages in a folder that have a source file, without the unstable ones. */
export function entryPointsOf(root: string, folder: "packages" | "apps"): readonly EntryPoint[] {
  return globSync(`${folder}/*/package.json`, { cwd: root })
    .toSorted()
    .flatMap((path) => {
      const { name, private: isPrivate, exports = {} } = JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest;
      return Object.entries(isPrivate === true ? {} : exports).flatMap(([subpath, target]) => {
        // Entry points that serve only the project's own programs are not public API.
        if (unstable.has(subpath)) return [];
        const source = typeof target === "string" ? undefined : target["@robots-stream/source"];
        return source === undefined
          ? []
          : [{ specifier: name + subpath.slice(1), file: join(root, path, "..", source) }];
      });
    });
}

/** Reads the entry points; returns the API, and one message for each undocumented name, type that is not exported, and broken link. */
export async function readApi(
  entryPoints: readonly EntryPoint[],
  options: TypeDocOptions,
): Promise<{ app: Application; project: ProjectReflection | undefined; problems: readonly string[] }> {
  const app = await Application.bootstrap({
    name: "robots-stream",
    entryPoints: entryPoints.map(({ file }) => file),
    readme: "none",
    excludeInternal: true,
    excludeExternals: true,
    validation: {
      notExported: true,
      notDocumented: true,
      invalidLink: true,
      rewrittenLink: true,
      invalidPath: true,
      unusedMergeModuleWith: true,
    },
    // A property's name and type often suffice.
    requiredToBeDocumented: ["Variable", "Function", "Class", "Interface", "TypeAlias", "Method", "Accessor"],
    packagesRequiringDocumentation: [...new Set(entryPoints.map(({ specifier }) => packageNameOf(specifier)))],
    ...options,
  });
  const problems: string[] = [];
  app.logger = new (class extends Logger {
    override log(message: string, level: LogLevel): void {
      super.log(message, level);
      if (level >= LogLevel.Warn) problems.push(message);
    }
  })();
  const project = await app.convert();
  for (const module of project?.getChildrenByKind(ReflectionKind.Module) ?? []) {
    const file = module.sources?.[0]?.fullFileName;
    module.name = entryPoints.find((entry) => resolve(entry.file) === resolve(file ?? ""))?.specifier ?? module.name;
  }
  if (project !== undefined) app.validate(project);
  return { app, project, problems };
}

function packageNameOf(specifier: string): string {
  return specifier.split("/", 2).join("/");
}

async function main(): Promise<number> {
  const options: TypeDocOptions = {
    tsconfig: join(checkout, "tooling/typedoc/tsconfig.sources.json"),
    basePath: checkout,
    displayBasePath: checkout,
    disableGit: true,
    gitRevision: "main",
    sourceLinkTemplate: "https://github.com/robots-stream/robots-stream/blob/{gitRevision}/{path}#L{line}",
  };
  const packages = entryPointsOf(checkout, "packages");
  const apps = entryPointsOf(checkout, "apps");
  // Read apps and packages separately: in a joint read TypeDoc does not report types that are not exported.
  const ofApps = await readApi(apps, options);
  const ofPackages = await readApi(packages, options);
  const problems = [...ofApps.problems, ...ofPackages.problems];
  for (const problem of problems) console.log(problem);
  if (ofApps.project === undefined || ofPackages.project === undefined) console.log("the sources could not be read");
  else if (problems.length === 0)
    return process.argv.includes("--check") ? 0 : await writeHtml([...packages, ...apps], options);
  return 1;
}

async function writeHtml(entryPoints: readonly EntryPoint[], options: TypeDocOptions): Promise<number> {
  const { app, project } = await readApi(entryPoints, { ...options, logLevel: "Error" });
  if (project !== undefined) await app.generateDocs(project, htmlFolder);
  if (!existsSync(join(htmlFolder, "index.html"))) return 1;
  console.log(`${join("docs", "api", "index.html")} is written`);
  return 0;
}

if (process.argv[1] === import.meta.filename) process.exitCode = await main();
