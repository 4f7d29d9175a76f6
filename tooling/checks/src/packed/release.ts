// Rehearses the next release: in a copy of the checkout, changesets makes the versions and changelogs and publishes to a registry on
// loopback; npx then runs the command from that registry in an empty folder. The workflow on GitHub, provenance, and the upload to the
// public registry are left out.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { runQuietly, runToEnd } from "../process.ts";
import { type Manifest, projectFilesOf, publishedPackagesOf, readJson } from "../workspace.ts";
import { nodeOf, ownEnvironment } from "./pack.ts";
import { type LoopbackRegistry, type Published, startRegistry } from "./registry.ts";

/** The Node versions on which npx runs the published command. */
const nodes = ["22.19.0", "24.21.0", "26.10.0"];

/** Returns one sentence for each problem. Needs npm, pnpm on the PATH, and built packages. */
export async function findReleaseProblems(root: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-release-"));
  const elsewhere = (await runQuietly("npm", ["config", "get", "registry"], { cwd: root })).trim();
  const registry = await startRegistry(elsewhere);
  try {
    const copy = join(folder, "checkout");
    await copyCheckout(root, copy);
    await checkRegistry(copy, folder, registry);
    await changeset(copy, folder, registry, ["version"]);
    const problems = versionProblems(copy);
    await git(copy, ["commit", "--quiet", "--all", "--message", "versions"]);
    problems.push(...provenanceProblems(copy, folder, registry));
    await changeset(copy, folder, registry, ["publish"]);
    problems.push(...publishProblems(copy, registry.published));
    if (problems.length > 0) return problems;
    console.log(`${registry.published.size} packages were published to ${registry.url}`);
    for (const version of nodes) {
      problems.push(...(await npxProblems(folder, registry, version, await nodeOf(root, version))));
    }
    return problems;
  } finally {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates a repository with the checkout's files and the build output of the published packages. */
async function copyCheckout(root: string, copy: string): Promise<void> {
  for (const file of projectFilesOf(root)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  // The copy gets its own node_modules, because pnpm may write into them.
  mkdirSync(join(copy, "node_modules/@changesets"), { recursive: true });
  symlinkSync(realpathSync(join(root, "node_modules/@changesets/cli")), join(copy, "node_modules/@changesets/cli"));
  await git(copy, ["init", "--quiet", "--initial-branch", "main"]);
  await git(copy, ["add", "--all"]);
  await git(copy, ["commit", "--quiet", "--message", "checkout"]);
  for (const { folder } of publishedPackagesOf(root)) {
    for (const built of ["dist", "bin"].map((name) => join(folder, name))) {
      if (existsSync(join(root, built))) cpSync(join(root, built), join(copy, built), { recursive: true });
    }
  }
}

function git(cwd: string, args: readonly string[]): Promise<string> {
  const author = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@localhost", "-c", "commit.gpgsign=false"];
  return runQuietly("git", [...author, ...args], { cwd });
}

/** Runs a command of changesets that can publish only to the registry on loopback. */
function changeset(copy: string, folder: string, registry: LoopbackRegistry, args: readonly string[]): Promise<string> {
  const cli = join(copy, "node_modules/@changesets/cli/bin.js");
  return runQuietly(process.execPath, [cli, ...args], { cwd: copy, env: environmentOf(folder, registry) });
}

/** Throws unless npm and pnpm would publish to the registry on loopback. A setting of this machine must never redirect them elsewhere. */
async function checkRegistry(copy: string, folder: string, registry: LoopbackRegistry): Promise<void> {
  const env = environmentOf(folder, registry);
  for (const tool of ["npm", "pnpm"]) {
    for (const key of ["registry", "@robots-stream:registry"]) {
      const said = (await runQuietly(tool, ["config", "get", key], { cwd: copy, env })).trim();
      const isUnset = key !== "registry" && (said === "" || said === "undefined");
      if (said !== registry.url && !isUnset) throw new Error(`${tool} would use ${said}, not ${registry.url}`);
    }
  }
}

/** The environment of a registry user with an empty cache, without this machine's settings for registries and their keys. */
function environmentOf(folder: string, { url }: LoopbackRegistry): NodeJS.ProcessEnv {
  const settings = join(folder, "npmrc");
  writeFileSync(settings, `registry=${url}\n${url.slice("http:".length)}:_authToken=rehearsal\n`);
  const others = Object.entries(ownEnvironment()).filter(
    ([name]) => !/^p?npm_config_|^npm_token$|^node_auth_token$/iu.test(name),
  );
  return {
    ...Object.fromEntries(others),
    npm_config_userconfig: settings,
    npm_config_globalconfig: join(folder, "none"),
    npm_config_registry: url,
    pnpm_config_registry: url,
    pnpm_config_verify_deps_before_run: "false",
    npm_config_cache: join(folder, "cache"),
    NO_PROXY: [process.env["NO_PROXY"], "127.0.0.1"].filter((name) => name !== undefined).join(),
    GITHUB_ACTIONS: "",
  };
}

/** Problems of the versions: the changelog of every published package needs an entry for the package's version. */
function versionProblems(copy: string): string[] {
  return publishedPackagesOf(copy).flatMap(({ folder, manifest }) => {
    const changelog = join(copy, folder, "CHANGELOG.md");
    const text = existsSync(changelog) ? readFileSync(changelog, "utf8") : "";
    return text.includes(`\n## ${manifest.version}\n`)
      ? []
      : [`${folder}/CHANGELOG.md: has no entry for ${manifest.version}`];
  });
}

/**
 * Problems of the release workflow's provenance setting. Publishing with this setting must fail here, because this machine cannot prove
 * provenance.
 */
function provenanceProblems(copy: string, folder: string, registry: LoopbackRegistry): readonly string[] {
  const workflow = readFileSync(join(copy, ".github/workflows/release.yml"), "utf8");
  if (!workflow.includes('pnpm_config_provenance: "true"')) return ["release.yml: does not request provenance"];
  const env = { ...environmentOf(folder, registry), pnpm_config_provenance: "true" };
  const [first] = publishedPackagesOf(copy);
  const args = ["publish", "--no-git-checks", "--access", "public"];
  const { code, stdout, stderr } = runToEnd("pnpm", args, { cwd: join(copy, first!.folder), env });
  return code !== 0 && `${stdout}${stderr}`.includes("PROVENANCE") && registry.published.size === 0
    ? []
    : [`pnpm publish with provenance ended with exit code ${code}: ${stdout}${stderr}`];
}

/**
 * Problems of the published packages. Every package must be published, be public and be tagged `latest`. Its dependencies on other packages
 * of the project must have the range `^` and the published version.
 */
function publishProblems(copy: string, published: ReadonlyMap<string, Published>): readonly string[] {
  return publishedPackagesOf(copy).flatMap(({ folder }) => {
    const { name, version = "" } = readJson<Manifest>(join(copy, folder, "package.json"));
    const document = published.get(name);
    const manifest = document?.versions[version];
    if (manifest === undefined) return [`${name}@${version}: was not published`];
    const ranges = Object.entries(manifest.dependencies ?? {});
    return [
      ...(document?.access === "public" ? [] : [`${name}: is not public`]),
      ...(document?.["dist-tags"]["latest"] === version ? [] : [`${name}: latest is not ${version}`]),
      ...ranges
        .filter(([other, range]) => published.has(other) && range !== `^${publishedVersionOf(published, other)}`)
        .map(([other, range]) => `${name}: needs ${other}@${range}`),
    ];
  });
}

function publishedVersionOf(published: ReadonlyMap<string, Published>, name: string): string | undefined {
  return published.get(name)?.["dist-tags"]["latest"];
}

/** Problems of `npx robots-stream` on a Node version, in a folder that contains only robots.txt. */
async function npxProblems(
  folder: string,
  registry: LoopbackRegistry,
  version: string,
  node: string,
): Promise<readonly string[]> {
  const empty = join(folder, `empty-${version}`);
  const bin = join(folder, `node-${version}`);
  for (const each of [empty, bin]) mkdirSync(each);
  symlinkSync(node, join(bin, "node"));
  writeFileSync(join(empty, "robots.txt"), "user-agent: *\ndisallow: /private\n");
  const env = { ...environmentOf(folder, registry), PATH: [bin, process.env["PATH"]].join(delimiter) };
  const args = ["--yes", "robots-stream", "--agent", "bingbot", "--robots", "robots.txt"];
  const input = '{"url":"https://example.com/private/x"}\n';
  const said = await runQuietly("npx", args, { cwd: empty, env, input });
  const isRight = said.includes('"allowed":false') && said.includes('"line":2');
  return isRight ? [] : [`npx robots-stream on Node ${version} printed ${JSON.stringify(said)}`];
}
