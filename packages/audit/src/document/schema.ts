// Contains the published JSON Schema of documents (draft 2020-12), and checks values against a schema.
import { limitsFor, totalNames } from "../count/counter-input.ts";
import { pageFindings } from "../count/pages.ts";
import { type ColumnName, type ColumnType, closedLists, columnTypes, tableColumns } from "./tables.ts";
import { schemaVersion } from "./types.ts";
import { policyNames } from "../history.ts";

/** A JSON Schema with the keywords that the schema of documents uses. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly [other: `$${string}`]: unknown;
  readonly description?: string;
}

type Properties = Readonly<Record<string, Schema>>;

const count: Schema = { type: "integer", minimum: 0 };
const text: Schema = { type: "string" };
const flag: Schema = { type: "boolean" };
const instant: Schema = { type: ["integer", "null"], description: "Seconds since 1970 in UTC." };

const object = (properties: Properties, optional: Properties = {}): Schema => ({
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

/** The schema of a document. */
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

/** The path from a value to the part of it that is not valid, such as `.origins[0].times`; undefined if there is none. */
type Check = (value: unknown) => string | undefined;

/** Returns the check of values against a schema. Members that the schema does not name are allowed: a later version may have them. */
export function checkOf(schema: Schema, defs: Schema["$defs"] = schema.$defs): Check {
  const { $ref, anyOf, enum: values, const: only, type } = schema;
  if ($ref !== undefined) return checkOf(defs![$ref.slice($ref.lastIndexOf("/") + 1)]!, defs);
  if (anyOf !== undefined) {
    const checks = anyOf.map((each) => checkOf(each, defs));
    return (value) => (checks.some((check) => check(value) === undefined) ? undefined : "");
  }
  if (only !== undefined) return (value) => (value === only ? undefined : "");
  if (values !== undefined) return (value) => (values.includes(value) ? undefined : "");
  if (type === "object") return objectCheckOf(schema, defs);
  return type === "array" ? listCheckOf(schema, defs) : plainCheckOf(schema);
}

function objectCheckOf({ properties = {}, required = [], additionalProperties }: Schema, defs: Schema["$defs"]): Check {
  const members = Object.entries(properties).map(
    ([name, each]) => [name, checkOf(each, defs), required.includes(name)] as const,
  );
  const other = additionalProperties === undefined || additionalProperties === false ? undefined : additionalProperties;
  const checkOther = other === undefined ? undefined : checkOf(other, defs);
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
    for (const [name, check, isRequired] of members) {
      const member = (value as Readonly<Record<string, unknown>>)[name];
      const wrong = member === undefined ? (isRequired ? "" : undefined) : check(member);
      if (wrong !== undefined) return `.${name}${wrong}`;
    }
    for (const [name, member] of checkOther === undefined ? [] : Object.entries(value)) {
      const wrong = checkOther!(member);
      if (wrong !== undefined) return `.${name}${wrong}`;
    }
    return undefined;
  };
}

function listCheckOf({ items, prefixItems = [], minItems = 0, maxItems }: Schema, defs: Schema["$defs"]): Check {
  const first = prefixItems.map((each) => checkOf(each, defs));
  const checkOther = items === undefined || items === false ? undefined : checkOf(items, defs);
  const most = maxItems ?? (items === false ? prefixItems.length : Infinity);
  return (value) => {
    if (!Array.isArray(value) || value.length < minItems || value.length > most) return "";
    for (let at = 0; at < value.length; at++) {
      const wrong = (first[at] ?? checkOther)?.(value[at]);
      const title = prefixItems[at]?.title;
      if (wrong !== undefined) return `${title === undefined ? `[${at}]` : `.${title}`}${wrong}`;
    }
    return undefined;
  };
}

function plainCheckOf({ type = [], minimum, maximum, exclusiveMinimum, pattern }: Schema): Check {
  const types = new Set([type].flat());
  const form = pattern === undefined ? undefined : new RegExp(pattern, "u");
  const isNumber = (value: number): boolean =>
    types.has(Number.isSafeInteger(value) ? "integer" : "number") || (types.has("number") && Number.isFinite(value));
  const isValid = (value: unknown): boolean => {
    if (value === null) return types.has("null");
    if (typeof value === "string") return types.has("string") && form?.test(value) !== false;
    if (typeof value !== "number") return types.has(typeof value);
    return (
      isNumber(value) &&
      value >= (minimum ?? -Infinity) &&
      value <= (maximum ?? Infinity) &&
      value > (exclusiveMinimum ?? -Infinity)
    );
  };
  return (value) => (isValid(value) ? undefined : "");
}
