// Tests core and url, bundled for a browser: they use no Node API, and their results equal Node's results and the recorded ones. Two entry
// points of fetch use only globals that every runtime with fetch has.
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { checkout } from "../../src/workspace.ts";
import { type Answers, answersOf } from "./answers.ts";
import { bundleForBrowsers } from "../../src/alone/bundle.ts";
import { evaluateInChromium, findChromium } from "../pages/chromium.ts";
import { jobsOf } from "./jobs.ts";

const folder = import.meta.dirname;
const { jobs, recorded } = jobsOf();
let here: Answers;
let script = "";

beforeAll(async () => {
  here = answersOf(jobs);
  script = await bundleForBrowsers('export { answersOf } from "./answers.ts";', { folder, globalName: "alone" });
});

describe("the jobs", () => {
  test("are numerous, and many of their decisions are disallowed", () => {
    expect(jobs.files.length).toBeGreaterThan(500);
    expect(recorded.flat().length).toBeGreaterThan(1000);
    expect(jobs.urls.length).toBeGreaterThan(80);
    expect(
      here.files.flatMap(({ decisions }) => decisions.flat()).filter(({ allowed }) => !allowed).length,
    ).toBeGreaterThan(100);
    expect(here.files.filter(({ story }) => story.length > 500).length).toBeGreaterThan(500);
  });

  test("Node's results equal the recorded ones", () => {
    expect(decisionsOf(here)).toEqual(recorded);
  });
});

function decisionsOf({ files }: Answers): unknown {
  return files
    .slice(0, recorded.length)
    .map(({ decisions }) => decisions.flat().map(({ allowed, line }) => ({ allowed, line })));
}

describe("without Node", () => {
  // Without types of Node, the compiler refuses Node's globals in core and url. fetch has these types, so its bundles are searched.
  test.each(["packages/fetch/dist/platform.js", "packages/fetch/dist/policy-entry.js"])(
    "%s bundles and names neither Node's globals nor its modules",
    async (file) => {
      const source = `export * from ${JSON.stringify(join(checkout, file))};`;
      const bundle = await bundleForBrowsers(source, { folder });
      // A name in a string or of a property is no global.
      const names =
        /["'`]node:|undici|basic-ftp|(?<![.\w"'`-])(?:Buffer|process|require|global|__dirname|__filename|\w+Immediate)(?![\w"'`:])/g;
      expect(bundle.match(names)).toBeNull();
    },
  );

  test("an engine with only the language's globals gives Node's results", () => {
    const bare = createContext({ TextDecoder, TextEncoder });
    runInContext(script, bare);
    const text = runInContext(`JSON.stringify(alone.answersOf(${JSON.stringify(jobs)}))`, bare) as string;
    expect(JSON.parse(text)).toEqual(here);
  });
});

describe("Chromium", () => {
  const chromium = findChromium();
  // Without Chromium the test fails in CI, where .ci/run installs it.
  test.skipIf(chromium === undefined && !process.env["CI"])("gives Node's results", async () => {
    if (chromium === undefined) throw new Error("there is no Chromium on the PATH");
    const expression =
      "({ answers: alone.answersOf(input), types: [typeof process, typeof Buffer, typeof require, typeof document] })";
    const { answers, types } = (await evaluateInChromium(chromium, { script, expression, input: jobs }, 50_000)) as {
      answers: Answers;
      types: string[];
    };
    expect(types).toEqual(["undefined", "undefined", "undefined", "object"]);
    expect(decisionsOf(answers)).toEqual(recorded);
    expect(answers).toEqual(here);
  });

  test.skipIf(chromium === undefined)("errors in the page are reported", async () => {
    const page = { script: "var answer = 6;", expression: "answer * missing * input", input: 7 };
    await expect(evaluateInChromium(chromium!, page, 50_000)).rejects.toThrow("missing is not defined");
  });
});
