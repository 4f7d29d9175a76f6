// The compiled app in, its command in a few files (apps/robots-stream/bin) out: what starts it loads one file instead of
// one a module (docs/decisions/0028-bundled-command.md). Code of this workspace goes in, that of others is imported as ever.
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { Failure, pathOf, say } from "./run.mjs";

const app = pathOf("apps/robots-stream");
const engine = pathOf("packages/engine");
const bin = join(app, "bin");

/** tr46 takes as long to load as a tenth of all else, and is for host names that are not ASCII. */
const lazyTr46 = `
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
export const toASCII = (...args) => require("tr46").toASCII(...args);
`;

async function bundle() {
  const build = await rolldown({
    // A worker thread starts from the second one: workers/pool.js looks for it beside itself.
    input: { cli: join(app, "dist/cli.js"), worker: join(engine, "dist/workers/worker.js") },
    platform: "node",
    plugins: [
      { name: "others-stay-outside", resolveId },
      { name: "tr46-when-needed", load: (id) => (id === "tr46-when-needed" ? lazyTr46 : undefined) },
    ],
    onLog(_level, { message }) {
      throw new Failure(message);
    },
  });
  const { output } = await build.write({
    dir: bin,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    minifyInternalExports: false,
    codeSplitting: {
      groups: [
        // What listens to signals is there before all else is.
        {
          name: "start",
          test: /dist.(?:errors|shell.exit-codes|shell.file-output|node-parts|sources.(?:direct|pipe))\.js$/u,
          priority: 1,
        },
        { name: "app", test: /robots-stream.dist.(?:main|commands.decide.run)\.js$/u },
        { name: "fetch", test: /fetch.dist.index\.js$/u },
      ],
    },
  });
  await build.close();
  const made = new Set(output.map(({ fileName }) => fileName));
  for (const file of readdirSync(bin)) if (!made.has(file)) rmSync(join(bin, file), { recursive: true });
}

/**
 * Imports of packages that are not of this workspace stay imports. What their importer names as its dependency the app must
 * name too, in the same range: it is the app that imports it now.
 */
function resolveId(specifier, importer) {
  if (importer === undefined || /^[./]|^@robots-stream\//u.test(specifier)) return undefined;
  if (isBuiltin(specifier)) return { id: specifier, external: true };
  const name = /^(?:@[^/]+\/)?[^/]+/u.exec(specifier)[0];
  const owner = packageOf(importer);
  const wanted = rangesOf(owner)[name];
  const own = rangesOf(app)[name];
  if (own !== wanted || own === undefined) {
    throw new Failure(
      `apps/robots-stream/package.json: names ${name}@${own}, and ${relative(pathOf("."), owner)} imports ${name}@${wanted}`,
    );
  }
  return name === "tr46" ? { id: "tr46-when-needed" } : { id: specifier, external: true };
}

/** The ranges of what a package needs when it runs. */
function rangesOf(folder) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { ...peerDependencies, ...dependencies };
}

/** The folder of the package that a compiled file belongs to. */
function packageOf(file) {
  return /^(.*)[/\\]dist[/\\]/su.exec(file)[1];
}

try {
  await bundle();
} catch (error) {
  // The bundler wraps what its plugins throw, and its message holds theirs.
  say(String(error instanceof Error ? error.message : error));
  process.exitCode = 1;
}
