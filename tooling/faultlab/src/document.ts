// Generates the table of docs/FAULTS.md from the rows: the fault, how robots-stream handles it, and the test.
import { elsewhere } from "./elsewhere.ts";
import { rows } from "./rows.ts";

/** One line of the table. */
interface Line {
  readonly id: number;
  readonly title: string;
  readonly does: string;
  readonly tests: readonly string[];
}

/** The table as Markdown, sorted by row number. */
export function documentOf(): string {
  const lab = rows.map(({ id, title, does }): Line => ({ id, title, does, tests: [] }));
  const lines = [...lab, ...elsewhere].toSorted((a, b) => a.id - b.id);
  const cells = lines.map(
    ({ id, title, does, tests }) =>
      `| ${id} | ${title} | ${does} | ${tests.length === 0 ? "lab" : tests.map(linked).join(", ")} |\n`,
  );
  return `| row | fault | result | tested by |\n|---|---|---|---|\n${cells.join("")}`;
}

function linked(path: string): string {
  return `[${path.split("/").at(-1)}](../${path})`;
}
