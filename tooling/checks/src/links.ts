// Finds broken links in the project's Markdown pages, and pages that the index does not name. Fetches nothing.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Page, readPage } from "./markdown.ts";
import { projectFilesOf, publishedPackagesOf } from "./workspace.ts";

/** The page that names every other page. */
const index = "docs/README.md";

const repository = "https://github.com/robots-stream/robots-stream";
/** Pages that the index need not name: changesets, changelogs, decision records, and GitHub's own pages. */
const unlisted = /^(?:\.changeset\/|\.github\/|docs\/decisions\/)|(?:^|\/)CHANGELOG\.md$/u;

/** The project's pages, by path. */
export function pagesOf(root: string): ReadonlyMap<string, Page> {
  const files = projectFilesOf(root).filter((file) => file.endsWith(".md"));
  return new Map(files.map((file) => [file, readPage(readFileSync(join(root, file), "utf8"))]));
}

/** Returns one sentence for each problem. */
export function findLinkProblems(root: string): readonly string[] {
  const pages = pagesOf(root);
  const packages = new Set(publishedPackagesOf(root).map(({ manifest }) => manifest.name));
  const linked = new Set<string>([index]);
  const problems = [...pages].flatMap(([file, page]) =>
    page.links.flatMap(({ target, line }) => {
      const path = pathOf(file, target);
      if (path === undefined) {
        const problem = outsideProblem(target, packages);
        return problem === undefined ? [] : [`${file}:${line}: ${target} ${problem}`];
      }
      const [to, anchor] = path;
      if (file === index) linked.add(to);
      const problem = insideProblem(root, pages, to, anchor);
      return problem === undefined ? [] : [`${file}:${line}: ${target} ${problem}`];
    }),
  );
  const missing = [...pages.keys()].filter((file) => !unlisted.test(file) && !linked.has(file));
  return [...problems, ...missing.map((file) => `${index}: does not name ${file}`)];
}

/** The path in the checkout and the anchor to which a link leads; undefined for an external link. */
function pathOf(file: string, target: string): readonly [path: string, anchor: string] | undefined {
  const ofRepository = target.startsWith(`${repository}/`)
    ? /^\/(?:blob|tree)\/main\/([^#]*)(?:#(.*))?$/u.exec(target.slice(repository.length))
    : null;
  if (ofRepository !== null) return [ofRepository[1]!.replace(/\/$/u, ""), ofRepository[2] ?? ""];
  if (/^[a-z][a-z\d+.-]*:/iu.test(target)) return undefined;
  const [path = "", anchor = ""] = target.split("#", 2);
  const decoded = decodeURI(path);
  const full = decoded === "" ? file : relative("/", join("/", dirname(file), decoded));
  return [full.replace(/\/$/u, ""), anchor];
}

function insideProblem(
  root: string,
  pages: ReadonlyMap<string, Page>,
  path: string,
  anchor: string,
): string | undefined {
  if (!existsSync(join(root, path))) return "leads to no file";
  if (anchor === "") return undefined;
  const page = pages.get(statSync(join(root, path)).isDirectory() ? `${path}/README.md` : path);
  return page?.anchors.has(anchor) === true ? undefined : "leads to no heading";
}

/** The problem with the form of an external link; undefined if there is none. */
function outsideProblem(target: string, packages: ReadonlySet<string>): string | undefined {
  if (!URL.canParse(target)) return "is not a URL";
  const { protocol, hostname, pathname, username } = new URL(target);
  if (protocol === "mailto:") return undefined;
  if (protocol !== "https:") return "is not https";
  if (username !== "" || !hostname.includes(".")) return "has no public host";
  const name = /^\/package\/((?:@robots-stream\/[^/]+|robots-stream))$/u.exec(pathname)?.[1];
  if (hostname === "www.npmjs.com" && name !== undefined && !packages.has(name))
    return "is not a package of this project";
  return undefined;
}
