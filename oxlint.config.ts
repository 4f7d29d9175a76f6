// The linter's rules, and which way imports go: which packages a package imports, and the order of the folders inside core, engine and fetch.
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { type OxlintOverride, defineConfig } from "oxlint";

/** By folder of a package: the packages of the project that its source may import. Tests import what their package.json declares. */
const packages: Readonly<Record<string, readonly string[]>> = {
  "packages/core": [],
  "packages/url": [],
  "packages/logs": [],
  "packages/agents": [],
  "packages/audit": [],
  "packages/page": [],
  "packages/verify": [],
  "packages/diff": ["core"],
  "packages/preferences": ["core"],
  "packages/robots-parser": ["core"],
  "packages/fetch": ["core", "url"],
  "packages/census": ["core", "diff", "audit"],
  "packages/engine": ["core", "url", "logs", "agents", "audit", "fetch"],
  "apps/playground": ["core", "agents", "page", "preferences", "diff"],
  "apps/robots-stream": [
    "core",
    "url",
    "logs",
    "agents",
    "audit",
    "page",
    "verify",
    "diff",
    "preferences",
    "fetch",
    "census",
    "engine",
  ],
  "apps/robots-stream-kafka": ["fetch", "engine", "robots-stream"],
};

/** By package: its folders from the lowest to the highest. "." is the folder src itself, which has the entries of the package. */
const folders: Readonly<Record<string, readonly string[]>> = {
  "packages/core": ["read", "match", "choose", "matcher", "values", "lint", "."],
  "packages/engine": [
    "common",
    "files",
    "records",
    "questions",
    "robots",
    "formats",
    "formats/ndjson",
    "formats/csv",
    "formats/table",
    "formats/sitemap",
    "formats/logs",
    "formats/parquet",
    "formats/warc",
    "formats/registry",
    "sources",
    "robots/archive",
    "robots/history",
    "robots/saved",
    "origins",
    "locate",
    "requests",
    "decide",
    "stream",
    "library",
    ".",
  ],
  "packages/fetch": ["common", "access", "stores", "history", "network", "client", "platform", "."],
};

/** Packages that only tests import. */
const forTests = {
  regex:
    "^(?:vitest|fast-check|ajv|ajv-draft-04|ajv-formats|yaml|csv-parse|hyparquet-writer|crawler-user-agents|robots-parser|@xterm/headless|@robots-stream/raw-servers)(?:/|$)",
  message: "only tests import this package",
};
/** Dependencies of the app that packages in its bundle import (scripts/dev/bundle.mjs), but the app itself does not. */
const bundled = {
  regex: "^(?:basic-ftp|hyparquet|parse5|tr46|undici)(?:/|$)",
  message: "the app reaches this package only through a package of the project",
};

/** The packages without I/O and without a clock. */
const pure = ["core", "url", "agents", "diff", "page", "preferences", "audit", "census", "robots-parser"].map(
  (name) => `packages/${name}/src/**`,
);
/** Globals of Node, and globals that do I/O or read a clock. */
const effects = ["Buffer", "fetch", "performance", "process", "setImmediate", "setInterval", "setTimeout"];

/** A pattern of import specifiers that are refused, with the reason. */
interface Refused {
  readonly regex: string;
  readonly message: string;
}

/** The rule for the imports of these files of a package. oxlint takes only the last such rule that fits a file, so each holds all patterns. */
function imports(folder: string, files: string, ...refused: readonly Refused[]): OxlintOverride {
  const names = Object.keys(packages)
    .map((other) => other.replace("packages/", "@robots-stream/").replace("apps/", ""))
    .filter((name) => !packages[folder]?.includes(name.replace("@robots-stream/", "")));
  const others = {
    regex: `^(?:${names.join("|")})(?:/|$)`,
    message: `${folder} does not import this package (oxlint.config.ts)`,
  };
  const fixed = folder === "apps/robots-stream" ? [forTests, others, bundled] : [forTests, others];
  return { files: [files], rules: { "no-restricted-imports": ["error", { patterns: [...fixed, ...refused] }] } };
}

/** For each folder, the rule that refuses imports of the folders after it. Throws for a folder that has no place in the order. */
function oneWay([name, order]: readonly [string, readonly string[]]): OxlintOverride[] {
  const source = join(name, "src");
  const found = readdirSync(join(import.meta.dirname, source), { recursive: true, withFileTypes: true });
  for (const each of found) {
    const folder = relative(join(import.meta.dirname, source), join(each.parentPath, each.name));
    if (each.isDirectory() && each.name !== "fixtures" && !order.includes(folder))
      throw new Error(`${source}/${folder} has no place in the order of folders (oxlint.config.ts)`);
  }
  return order.slice(0, -1).map((folder, index) => {
    const higher = order.slice(index + 1).map((other) => {
      const path = relative(folder, other);
      return path.startsWith(".") ? path : `./${path}`;
    });
    const regex = `^(?:${higher.map((path) => path.replaceAll(".", "\\.")).join("|")})/[^/]+$`;
    const message = `${folder}/ comes before that folder in oxlint.config.ts`;
    return imports(name, `${source}/${folder}/*.ts`, { regex, message });
  });
}

const app = "apps/robots-stream";
const commands = readdirSync(join(import.meta.dirname, app, "src/commands")).join("|");

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "import", "promise", "node", "vitest"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  options: { typeAware: true, reportUnusedDisableDirectives: "error" },
  rules: {
    // The strictest compiler settings see to these, or they forbid what batches and hot loops are made of.
    "no-await-in-loop": "off",
    "no-unmodified-loop-condition": "off",
    "oxc/no-map-spread": "off",
    "typescript/consistent-return": "off",
    "typescript/no-confusing-non-null-assertion": "off",
    "typescript/no-unsafe-type-assertion": "off",
    "typescript/unbound-method": "off",
    "typescript/no-unnecessary-type-parameters": "off",
    "typescript/require-array-sort-compare": "off",
    "no-underscore-dangle": "off",
    "unicorn/consistent-function-scoping": "off",
    "unicorn/no-new-array": "off",
    "unicorn/no-array-sort": "off",
    "promise/always-return": "off",
    "promise/no-callback-in-promise": "off",
    "vitest/no-conditional-expect": "off",
    "vitest/valid-expect": ["error", { maxArgs: 2 }],

    eqeqeq: "error",
    "no-eval": "error",
    "no-var": "error",
    "prefer-const": "error",
    "import/no-named-as-default-member": "off",
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    // They throw on a Node that is not supported.
    "import/no-unassigned-import": ["error", { allow: ["**/supported-node.ts", "@robots-stream/fetch/internal"] }],
    "unicorn/prefer-node-protocol": "error",
    "max-lines": ["error", { max: 320, skipBlankLines: true, skipComments: true }],
    "typescript/no-explicit-any": "error",
    "typescript/no-misused-promises": "error",
    "typescript/only-throw-error": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "vitest/no-focused-tests": "error",
  },
  overrides: [
    ...Object.keys(packages).map((folder) => imports(folder, `${folder}/src/**`)),
    imports(app, `${app}/src/commands/**`, {
      regex: `^(?:\\.\\./)+(?:${commands})(?:/|$)`,
      message: "a command imports no other command; what both need is in cli/",
    }),
    imports(app, `${app}/src/cli/**`, { regex: "/commands/", message: "cli/ comes before commands/" }),
    ...Object.entries(folders).flatMap((each) => oneWay(each)),
    {
      // No module and no global of Node: these packages run wherever JavaScript does.
      files: [...pure, "packages/logs/src/**", "packages/verify/src/**", "apps/playground/src/**"],
      rules: {
        "import/no-nodejs-modules": "error",
        "import/no-dynamic-require": ["error", { esmodule: true }],
      },
    },
    {
      files: ["packages/logs/src/**", "packages/verify/src/**"],
      rules: { "no-console": "error", "no-restricted-globals": ["error", ...effects] },
    },
    {
      // No clock either: these packages answer the same every time.
      files: pure,
      rules: { "no-console": "error", "no-restricted-globals": ["error", ...effects, "Date"] },
    },
    {
      files: ["**/*.test.ts", "**/test/**"],
      rules: {
        "import/no-nodejs-modules": "off",
        "import/no-dynamic-require": "off",
        "max-lines": "off",
        "no-restricted-globals": "off",
        "no-restricted-imports": "off",
      },
    },
    {
      // What these tools load must be the default export, and what replaces npm robots-parser has its form.
      files: [
        "vitest.config.ts",
        "oxlint.config.ts",
        "tooling/checks/src/reporter.ts",
        "packages/robots-parser/src/index.ts",
      ],
      rules: { "import/no-default-export": "off" },
    },
  ],
  ignorePatterns: ["**/dist/**", "apps/robots-stream/bin/**", "**/fixtures/**", "coverage/**"],
});
