// Finds each use of the type `any` in the published declarations.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Visitor, parseSync } from "vite";
import { publishedPackagesOf } from "./workspace.ts";

/** One sentence for each `any`, and for each package without declarations; empty without problems. Needs built packages. */
export function findAnyTypes(root: string): readonly string[] {
  return publishedPackagesOf(root).flatMap(({ folder }) => {
    const files = globSync("**/*.d.ts", { cwd: join(root, folder, "dist") }).toSorted();
    if (files.length === 0) return [`${folder}/dist: contains no declarations; is it built?`];
    return files.flatMap((file) => {
      const path = `${folder}/dist/${file}`;
      return anyLinesOf(path, readFileSync(join(root, path), "utf8")).map(
        (line) => `${path}:${line}: has the type any`,
      );
    });
  });
}

/** The lines of a declaration file that contain the type `any`; comments and strings are ignored. */
export function anyLinesOf(path: string, source: string): readonly number[] {
  const { program, errors } = parseSync(path, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const lines: number[] = [];
  new Visitor({
    TSAnyKeyword: ({ start }) => lines.push(source.slice(0, start).split("\n").length),
  }).visit(program);
  return lines;
}
