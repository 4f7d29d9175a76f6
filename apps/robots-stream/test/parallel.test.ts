// Tests the README's recipe for a divided run with GNU parallel: all parts together must equal an undivided run.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const hasParallel = /GNU parallel/i.test(spawnSync("parallel", ["--version"], { encoding: "utf8" }).stdout ?? "");
const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "robots-stream-parallel-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const recipe = /^(seq \d+ \| parallel .*)$/m;

test.skipIf(!hasParallel && process.env["CI"] === undefined)(
  "the parts that the README's recipe makes equal an undivided run",
  { timeout: 180_000 },
  () => {
    expect(hasParallel, "GNU parallel is not installed").toBe(true);
    const readme = readFileSync(join(root, "apps/robots-stream/README.md"), "utf8");
    const urls = Array.from({ length: 2_000 }, (_, index) => `{"url":"https://${index % 300}.shop.example/${index}"}`);
    writeFileSync(join(folder, "urls.ndjson"), urls.join("\n"));
    const program = [process.execPath, ...process.execArgv, "--conditions=@robots-stream/source"];
    const cli = join(root, "apps/robots-stream/src/cli.ts");
    const robots = join(root, "examples/robots/shop.example.txt");
    const args = ["--agent", "bingbot", "--robots", robots];
    const command = recipe.exec(readme)![1]!.replace("robots-stream", [...program, cli, "--robots", robots].join(" "));
    execFileSync("sh", ["-c", command], { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
    const whole = execFileSync(program[0]!, [...program.slice(1), cli, ...args, "urls.ndjson"], {
      cwd: folder,
      encoding: "utf8",
    });
    const parts = readdirSync(folder).filter((name) => name.startsWith("part-"));
    expect(parts).toHaveLength(4);
    const rows = parts.map((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1));
    expect(rows.flat().toSorted()).toEqual(whole.split("\n").slice(0, -1).toSorted());
    const origins = rows.map(
      (part) => new Set(part.map((row) => (JSON.parse(row) as { robots: { origin: string } }).robots.origin)),
    );
    expect(origins.reduce((sum, { size }) => sum + size, 0)).toBe(300);
  },
);
