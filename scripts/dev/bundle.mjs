// Bundles the compiled app into a few files (apps/robots-stream/bin), so that a start loads few files instead of one per module
// (docs/decisions/0028-bundled-command.md). Code of this workspace is bundled; imports of other packages stay imports.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { Failure, pathOf, say } from "./run.mjs";

const app = pathOf("apps/robots-stream");
const bin = join(app, "bin");
const manual = "robots-stream.1";

/** tr46 takes a tenth of the start time and is needed only for non-ASCII host names, so it is loaded on demand. */
const lazyTr46 = `
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
export const toASCII = (...args) => require("tr46").toASCII(...args);
`;

async function bundle() {
  const build = await rolldown({
    input: { cli: join(app, "dist/cli.js") },
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
    comments: { jsdoc: false },
    codeSplitting: {
      groups: [
        // `start` installs signal handlers before the rest is loaded. The errors of the packages that `start` does not need stay with them.
        {
          name: "start",
          test: /(?<!(?:agents|audit|core|page|preferences|verify).)dist.(?:(?:common.)?errors|cli.exit-codes|cli.file-output|common.node-parts|sources.(?:direct|pipe))\.js$/u,
          priority: 1,
        },
        { name: "app", test: /robots-stream.dist.(?:main|commands.decide.run)\.js$/u },
        { name: "fetch", test: /fetch.dist.index\.js$/u },
      ],
    },
  });
  await build.close();
  const made = new Set([...output.map(({ fileName }) => fileName), manual]);
  // npm installs the manual page with the package ("man" in package.json).
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(bin, "cli.js"), "man"], { encoding: "utf8" });
  if (status !== 0) throw new Failure(`the manual page could not be made: ${stderr}`);
  writeFileSync(join(bin, manual), stdout);
  for (const file of readdirSync(bin)) if (!made.has(file)) rmSync(join(bin, file), { recursive: true });
}

/**
 * Keeps imports of packages outside this workspace as imports. The bundled app then imports such a package itself, so the app must
 * declare the same dependency, with the same range, as the package whose code is bundled.
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

/** The runtime dependencies of a package, with their ranges. */
function rangesOf(folder) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { ...peerDependencies, ...dependencies };
}

/** The folder of the package to which a compiled file belongs. */
function packageOf(file) {
  return /^(.*)[/\\]dist[/\\]/su.exec(file)[1];
}

try {
  await bundle();
} catch (error) {
  // The bundler wraps an error that a plugin throws; the wrapper's message contains the plugin's message.
  say(String(error instanceof Error ? error.message : error));
  process.exitCode = 1;
}
