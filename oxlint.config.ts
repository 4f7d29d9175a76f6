// The linter's rules, and the order of the folders inside core, engine and fetch: a folder imports only folders above it in its list.
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig } from "oxlint";

/** By package: its folders from the lowest to the highest. "." is the folder src itself, which has the entries of the package. */
const folders: Readonly<Record<string, readonly string[]>> = {
  "packages/core/src": ["read", "match", "choose", "matcher", "values", "lint", "."],
  "packages/engine/src": [
    "common",
    "files",
    "records",
    "questions",
    "robots",
    "formats",
    "formats/ndjson",
    "formats/csv",
    "formats/lines",
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
  "packages/fetch/src": ["common", "access", "stores", "history", "network", "client", "platform", "."],
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

/** For each folder, the rule that refuses imports of the folders after it. Throws for a folder that has no place in the order. */
function oneWay([source, order]: readonly [string, readonly string[]]) {
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
    return {
      files: [`${source}/${folder}/*.ts`],
      rules: { "no-restricted-imports": ["error", { patterns: [forTests, { regex, message }] }] as const },
    };
  });
}

const commands = "apps/robots-stream/src/commands";
/** The rule that refuses imports of one command of the app by another: what two commands need is in `cli/`. */
const apart = {
  files: [`${commands}/**`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          forTests,
          bundled,
          {
            regex: `^(?:\\.\\./)+(?:${readdirSync(join(import.meta.dirname, commands)).join("|")})(?:/|$)`,
            message: "a command imports no other command; what both need is in cli/",
          },
        ],
      },
    ] as const,
  },
};
/** `cli/` is below the commands. */
const belowCommands = {
  files: ["apps/robots-stream/src/cli/**"],
  rules: {
    "no-restricted-imports": [
      "error",
      { patterns: [forTests, bundled, { regex: "/commands/", message: "cli/ comes before commands/" }] },
    ] as const,
  },
};

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
    {
      files: ["packages/*/src/**", "apps/*/src/**"],
      rules: { "no-restricted-imports": ["error", { patterns: [forTests] }] },
    },
    {
      files: ["apps/robots-stream/src/**"],
      rules: { "no-restricted-imports": ["error", { patterns: [forTests, bundled] }] },
    },
    apart,
    belowCommands,
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
