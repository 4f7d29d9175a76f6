// Reads the changesets in .changeset/ and finds problems that would make the next release fail.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { publishedPackagesOf, readJson } from "./workspace.ts";

/** Returns one sentence for each problem. */
export function findChangesetProblems(root: string): readonly string[] {
  const folder = join(root, ".changeset");
  if (!existsSync(join(folder, "config.json"))) return [".changeset/config.json: is missing"];
  const published = new Set(publishedPackagesOf(root).map(({ manifest }) => manifest.name));
  const {
    access,
    fixed = [],
    linked = [],
    ignore = [],
  } = readJson<{
    access?: string;
    fixed?: readonly (readonly string[])[];
    linked?: readonly (readonly string[])[];
    ignore?: readonly string[];
  }>(join(folder, "config.json"));
  return [
    ...(access === "public" ? [] : ['.changeset/config.json: access is not "public"']),
    ...[...fixed.flat(), ...linked.flat(), ...ignore]
      .filter((name) => !published.has(name))
      .map((name) => `.changeset/config.json: ${name} is not a package of this workspace`),
    ...readdirSync(folder)
      .filter((file) => file.endsWith(".md") && file !== "README.md")
      .flatMap((file) => changesetProblems(`.changeset/${file}`, readFileSync(join(folder, file), "utf8"), published)),
  ];
}

/** Problems of one changeset: it needs front matter, whose lines are `"package": patch|minor|major|none`, then a sentence for the user. */
export function changesetProblems(file: string, text: string, published: ReadonlySet<string>): readonly string[] {
  const [, head, sentence = ""] = /^---\r?\n([\s\S]*?)\r?\n?---\r?\n([\s\S]*)$/u.exec(text) ?? [];
  if (head === undefined) return [`${file}: has no front matter between "---" lines`];
  const lines = head.split(/\r?\n/u).filter((line) => line.trim() !== "");
  return [
    ...(sentence.trim() === "" ? [`${file}: says nothing to the user`] : []),
    ...lines.flatMap((line) => {
      const [, name = "", bump] = /^["']?([^"':]+)["']?: *(\w+)$/u.exec(line.trim()) ?? [];
      if (bump === undefined || !["patch", "minor", "major", "none"].includes(bump))
        return [`${file}: cannot read ${line}`];
      return published.has(name) ? [] : [`${file}: ${name} is not a published package of this workspace`];
    }),
  ];
}
