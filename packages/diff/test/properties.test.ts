// Tests that every change found by enumerated or random targets has a witness, and that files without a change have none.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DialectName, type Matcher, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { expect, test } from "vitest";
import { diffRobots, everybody, namesIn } from "../src/index.ts";
import { Random, editOf, fileOf, piecesOf, targetOf } from "./random.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
const dialects: readonly DialectName[] = ["google", "rfc9309"];
const corpus = process.env["ROBOTS_STREAM_SHARED"]
  ? join(process.env["ROBOTS_STREAM_SHARED"], "corpora/robots/real-robots-selection.tar.gz")
  : fileURLToPath(new URL("../../../../shared/corpora/robots/real-robots-selection.tar.gz", import.meta.url));

/** All targets of up to five characters (six in the long form) from a small alphabet. */
const enumerated = (function* () {
  let layer = ["/"];
  for (let size = 0; size < (isThorough ? 6 : 5); size++) {
    yield* layer;
    layer = layer.flatMap((target) => ["/", "a", "b", "?"].map((character) => target + character));
  }
})();
const targets = [...enumerated, "/*", "/a*", "/%2A", "/a%2A", "/b/%2A/", "/a/index.html", "/b/index.html", "/a$", "/$"];

function matcherIn(text: string, dialect: DialectName, name: string): Matcher {
  return createMatcher(parseRobotsTxt(text, { dialect }), name === "*" ? [] : name);
}

/** The effects on a crawler that the given targets show. */
function shownEffects(old: Matcher, next: Matcher, given: Iterable<string>): ReadonlySet<string> {
  const effects = new Set<string>();
  for (const target of given) {
    const before = old.decideTarget(target).allowed;
    if (before !== next.decideTarget(target).allowed) effects.add(before ? "newly-disallowed" : "newly-allowed");
  }
  return effects;
}

function effectsFor(result: ReturnType<typeof diffRobots>, name: string): ReadonlySet<string> {
  const found = result.answers.find(({ crawlers }) => crawlers.includes(name));
  return new Set(found?.changes.map(({ effect }) => effect).filter((effect) => effect !== "none"));
}

test.each(dialects)("%s: generated pairs have a witness for each effect that enumerated targets show", (dialect) => {
  const random = new Random(dialect === "google" ? 1 : 2);
  let flips = 0;
  let equal = 0;
  for (let round = 0; round < (isThorough ? 20_000 : 80); round++) {
    const old = fileOf(random);
    const next = random.below(3) === 0 ? fileOf(random) : editOf(random, old);
    const result = diffRobots(old, next, { dialect });
    expect(result.isProved, `${old}---\n${next}`).toBe(true);
    for (const name of ["*", "x"]) {
      const shown = shownEffects(matcherIn(old, dialect, name), matcherIn(next, dialect, name), targets);
      // By default only crawlers that a file names, and `*`, are compared.
      const found = effectsFor(result, /: x$/m.test(old + next) ? name : "*");
      expect([...found], `${name}\n${old}---\n${next}`).toEqual(expect.arrayContaining([...shown]));
      flips += shown.size;
      if (found.size === 0) equal++;
    }
  }
  expect(flips).toBeGreaterThan(30);
  expect(equal).toBeGreaterThan(10);
});

test.each(dialects)(
  "%s: each witness has two different answers, and files with the same meaning have no witness",
  (dialect) => {
    const random = new Random(3);
    for (let round = 0; round < (isThorough ? 2000 : 25); round++) {
      const text = fileOf(random, 10);
      const [head = "", ...rest] = text.split(/^(?=User-agent)/m).filter(Boolean);
      const again = [...rest, head].map(
        (group) => `# moved\n${group}${group.split("\n").slice(1).toReversed().join("\n")}\nDisallow:\n`,
      );
      const result = diffRobots(text, again.join("\n"), { dialect });
      expect(result.answers.flatMap(({ changes }) => changes)).toEqual([]);
      expect(result.isProved).toBe(true);
      for (const { changes } of diffRobots(text, fileOf(random), { dialect }).answers) {
        for (const { effect, witness } of changes) {
          expect(witness === undefined).toBe(effect === "none");
          if (witness !== undefined) expect(witness.new.allowed).toBe(effect === "newly-allowed");
        }
      }
    }
  },
);

/** Real files, if they are beside the checkout. */
function realFiles(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-diff-"));
  try {
    spawnSync("tar", ["-xzf", corpus, "-C", folder]);
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".txt"))
      .toSorted()
      .map((name) => readFileSync(join(folder, name), "latin1"))
      .filter((text) => /allow/i.test(text));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test.skipIf(!existsSync(corpus))(
  "edits of real files have a witness for each effect that random targets show (skipped without the corpora)",
  { timeout: 1_200_000 },
  () => {
    const random = new Random(4);
    const files = realFiles();
    const edits = isThorough ? 200 : 12;
    const tries = Math.ceil((isThorough ? 1_000_000 : 12_000) / edits);
    let flips = 0;
    for (let edit = 0; edit < edits; edit++) {
      const old = files[random.below(files.length)]!;
      const next = editOf(random, old);
      const [dialect] = [random.of(dialects)];
      const result = diffRobots(old, next, { dialect });
      expect(result.isProved).toBe(true);
      const names = ["*", ...namesIn(parseRobotsTxt(old, { dialect }), parseRobotsTxt(next, { dialect }))];
      const pieces = piecesOf(old + next);
      for (const name of [random.of(names), result.answers[0]?.crawlers[0] ?? "*"]) {
        const compared = name === "*" ? everybody : { name, names: [name] };
        const [before, after] = [matcherOf(old, dialect, compared), matcherOf(next, dialect, compared)];
        const given = Array.from({ length: tries >> 1 }, () => targetOf(random, pieces));
        const shown = shownEffects(before, after, given);
        flips += shown.size;
        expect([...effectsFor(result, name)], `${name}\n${next}`).toEqual(expect.arrayContaining([...shown]));
      }
    }
    expect(flips).toBeGreaterThan(0);
  },
);

function matcherOf(text: string, dialect: DialectName, { names }: { readonly names: readonly string[] }): Matcher {
  const tokenMatch = /^[A-Za-z_-]*$/.test(names[0] ?? "") ? "google" : "whole";
  return createMatcher(parseRobotsTxt(text, { dialect }), names, { tokenMatch });
}
