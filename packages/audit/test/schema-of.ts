// Makes the published JSON Schema of documents (draft 2020-12) from the list of tables.
import { limitsFor, totalNames } from "../src/count/counter-input.ts";
import { pageFindings } from "../src/count/pages.ts";
import { type ColumnName, type ColumnType, closedLists, columnTypes, tableColumns } from "../src/document/tables.ts";
import { schemaVersion } from "../src/document/types.ts";
import { policyNames } from "../src/history.ts";

type Schema = Readonly<Record<string, unknown>>;

const count: Schema = { type: "integer", minimum: 0 };
const text: Schema = { type: "string" };
const flag: Schema = { type: "boolean" };
const instant: Schema = { type: ["integer", "null"], description: "Seconds since 1970 in UTC." };

const object = (properties: Schema, optional: Schema = {}): Schema => ({
  type: "object",
  required: Object.keys(properties),
  additionalProperties: false,
  properties: { ...properties, ...optional },
});
const list = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });
const mapOf = (values: Schema): Schema => ({ type: "object", additionalProperties: values });

/** The schemas of columns that are neither text nor values of a closed list. */
const openTypes: Readonly<Partial<Record<ColumnType, Schema>>> = {
  time: { ...instant, minimum: 0 },
  flag,
  status: { ...count, minimum: -1, maximum: 1_000 },
  interval: { ...count, description: "A position in intervals." },
  rule: { ...count, description: "A position in rules." },
  examples: list({ $ref: "#/$defs/example" }, { maxItems: 3 }),
  count,
};

const fromLatest: Schema = {
  type: "integer",
  description: "The last possible second of the first observation, if its time is not known to the second.",
};

function schemaOfColumn(type: ColumnType): Schema {
  const closed = closedLists[type];
  if (closed !== undefined) return { enum: closed };
  return openTypes[type] ?? text;
}

function schemaOfTable(name: keyof typeof tableColumns): Schema {
  const columns: readonly ColumnName[] = tableColumns[name];
  return list({
    type: "array",
    description: columns.join(", "),
    prefixItems: columns.map((column) => ({ title: column, ...schemaOfColumn(columnTypes[column]) })),
    items: false,
    minItems: columns.length,
  });
}

const input = object({
  name: text,
  bytes: count,
  sha256: text,
  lines: count,
  rejects: mapOf(count),
  sampleRate: { type: "number", exclusiveMinimum: 0, maximum: 1 },
  outside: { ...count, description: "Requests outside the requested period; they are in no count." },
});

const crawler = object({
  productToken: text,
  operator: text,
  kind: { enum: ["crawler", "user-triggered", "program", "control-token"] },
  purposes: list(text),
  bound: { enum: ["yes", "own-group", "by-name", "no", "undocumented"] },
  groupNames: list(text, { description: "The group of the first of these names in a robots.txt binds the crawler." }),
  accessPolicy: { enum: policyNames },
  honoursCrawlDelay: flag,
});

const pages: Schema = list(
  object({
    crawler: text,
    pages: count,
    findings: list(
      object({
        code: { enum: pageFindings },
        pages: count,
        examples: list({ $ref: "#/$defs/example" }, { maxItems: 3 }),
      }),
    ),
  }),
  { description: "Pages that were examined in addition to the log; absent without pages." },
);

const level: Schema = { type: "integer", minimum: 0, maximum: 2 };
const timeLevel: Schema = { ...level, maximum: 3 };

export function documentSchema(): Schema {
  const tables = Object.fromEntries(
    (Object.keys(tableColumns) as (keyof typeof tableColumns)[]).map((name) => [name, schemaOfTable(name)]),
  );
  const origin = object(
    {
      origin: { ...text, description: '"" for requests without an origin, "…" for origins that were folded into one.' },
      isKnown: flag,
      isDated: flag,
      intervals: list(
        object({ version: text, from: instant, seen: instant, policies: list({ enum: policyNames }) }, { fromLatest }),
      ),
      outages: list(
        object({ from: { type: "integer" }, seen: { type: "integer" }, end: instant }, { fromLatest, code: text }),
      ),
      folded: object({ times: timeLevel, fetches: timeLevel, directories: level, parameters: level }),
      rules: list(
        object({ tokens: list(text), directive: text, pattern: text, lines: mapOf(count) }, { dialect: text }),
      ),
      ...tables,
    },
    { isShared: { const: true, description: "The file was given without an origin, and taken for all of them." } },
  );
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:robots-stream:audit-document:${schemaVersion}`,
    title: `Audit document of robots-stream, schema version ${schemaVersion}`,
    ...object(
      {
        schemaVersion: { const: schemaVersion },
        settings: object({
          registry: text,
          ranges: { type: ["string", "null"] },
          dialect: text,
          candidate: { type: ["string", "null"] },
          history: text,
          limits: object(Object.fromEntries(Object.keys(limitsFor(1)).map((name) => [name, count]))),
          queryValues: flag,
        }),
        period: { anyOf: [{ type: "null" }, object({ first: count, last: count })] },
        totals: object(Object.fromEntries(totalNames.map((name) => [name, count]))),
        crawlers: list(crawler),
        urls: list(object({ crawler: text, verification: { enum: closedLists.verification }, sketch: text })),
        otherAgents: list(object({ agent: text, requests: count })),
        files: mapOf(text),
        lint: mapOf(list({ $ref: "#/$defs/lintRow" })),
        origins: list(origin),
        inputs: list(input),
      },
      { pages },
    ),
    $defs: {
      lintRow: {
        type: "array",
        description: "Line, severity, code and sentence of a finding about a file.",
        prefixItems: [count, { enum: ["error", "warning", "info"] }, text, text],
        items: false,
        minItems: 4,
      },
      example: {
        type: "array",
        description: "The hash of origin and target, and the target.",
        prefixItems: [{ type: "string", pattern: "^[0-9a-f]{16}$" }, text],
        items: false,
        minItems: 2,
      },
    },
  };
}
