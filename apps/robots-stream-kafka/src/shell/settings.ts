// Converts arguments and environment to settings; throws the engine's UsageError for the first mistake.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { UsageError } from "@robots-stream/engine";
import type { AccessPolicyName } from "@robots-stream/fetch";
import { accessPolicies } from "@robots-stream/fetch/internal";
import type { ConnectionSettings, SaslSettings } from "../kafka/connection.ts";
import { saslMechanisms } from "../kafka/connection.ts";
import type { GroupSettings } from "../kafka/group.ts";
import type { Routes } from "../flow/delivery.ts";
import { type FlagName, parseOptions } from "./flags.ts";

export interface Settings {
  readonly connection: ConnectionSettings;
  readonly group: GroupSettings;
  readonly topic: string;
  readonly routes: Routes;
  readonly deciding: DecidingSettings;
  readonly urlFrom: "value" | "key";
  readonly ordered: boolean;
  readonly sourceHeaders: boolean;
  readonly start: "earliest" | "latest";
  readonly maxWaitMs: number;
  readonly parkBytes: number;
  readonly mostSpan: number;
  readonly commitMs: number;
  readonly drainMs: number;
  readonly http: { readonly host: string; readonly port: number } | undefined;
  readonly isDryRun: boolean;
}

/** How records are decided, and where robots.txt files come from. */
export interface DecidingSettings {
  readonly agents: readonly string[];
  readonly agentField: string | undefined;
  readonly robotsPath: string | undefined;
  readonly cacheUrl: string | undefined;
  readonly inputFormat: string;
  readonly urlField: string | undefined;
  readonly base: string | undefined;
  readonly resultKey: string;
  readonly userAgent: string | undefined;
  readonly accessPolicy: AccessPolicyName;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly perAddress: number;
  readonly allowPrivate: boolean | readonly string[];
}

type Values = Partial<Record<FlagName, string>>;

/** Reads a command line. Throws a `UsageError` for the first mistake. */
export function settingsOf(argv: readonly string[], env: NodeJS.ProcessEnv): Settings | "help" | "version" {
  const values = parsed(argv);
  if (values.help !== undefined) return "help";
  if (values.version !== undefined) return "version";
  const required = (name: FlagName): string => values[name] ?? fail(`--${name} is missing`);
  const topic = required("from");
  const isDryRun = values["dry-run"] !== undefined;
  const sessionMs = msOf(values, "session", 45);
  const rebalanceMs = Math.max(msOf(values, "rebalance", 60), sessionMs);
  const groupId = isDryRun ? (values.group ?? "robots-stream-kafka-dry-run") : required("group");
  return {
    connection: connectionOf(required("brokers"), values, env),
    group: {
      groupId,
      topic,
      instanceId: values["instance-id"],
      sessionMs,
      rebalanceMs,
      heartbeatMs: Math.min(3_000, Math.floor(sessionMs / 3)),
      metadataMs: msOf(values, "metadata-interval", 30),
    },
    topic,
    routes: routesOf(values, topic, isDryRun),
    deciding: decidingOf(values),
    urlFrom: choiceOf(values, "url-from", ["value", "key"]),
    ordered: values.ordered !== undefined,
    sourceHeaders: values["source-headers"] !== undefined,
    start: choiceOf(values, "start", ["earliest", "latest"]),
    maxWaitMs: msOf(values, "max-wait", 120),
    parkBytes: sizeOf(values, "park-bytes", "64M"),
    mostSpan: countOf(values, "max-span", 100_000),
    commitMs: msOf(values, "commit-interval", 1),
    drainMs: msOf(values, "drain", 10),
    http: httpOf(values.http),
    isDryRun,
  };
}

function fail(message: string): never {
  throw new UsageError("wrong-value", message, "robots-stream-kafka --help lists the flags");
}

function parsed(argv: readonly string[]): Values {
  try {
    const { values } = parseArgs({ args: [...argv], options: parseOptions(), strict: true, allowPositionals: false });
    return Object.fromEntries(
      Object.entries(values).map(([name, all]) => [name, String((all as readonly unknown[]).at(-1))]),
    );
  } catch (error) {
    return fail(error instanceof Error ? (error.message.split(". ")[0] ?? error.message) : String(error));
  }
}

function connectionOf(brokers: string, values: Values, env: NodeJS.ProcessEnv): ConnectionSettings {
  const list = brokers.split(",").map((broker) => broker.trim());
  for (const broker of list)
    if (!/^(?:\[[0-9a-fA-F:]+\]|[^\s:,/]+):\d{1,5}$/.test(broker)) fail(`--brokers ${broker}: is not HOST:PORT`);
  const sasl = saslOf(values, env);
  const { "tls-ca": ca, "tls-cert": cert, "tls-key": key } = values;
  if ((cert === undefined) !== (key === undefined)) fail("--tls-cert and --tls-key belong together");
  const isTls = values.tls !== undefined || ca !== undefined || cert !== undefined;
  const tls = {
    ...(ca === undefined ? {} : { ca: read("tls-ca", ca) }),
    ...(cert === undefined ? {} : { cert: read("tls-cert", cert), key: read("tls-key", key!) }),
  };
  const clientId = values["client-id"] ?? "robots-stream-kafka";
  return { brokers: list, clientId, ...(isTls ? { tls } : {}), ...(sasl === undefined ? {} : { sasl }) };
}

function saslOf({ sasl: asked }: Values, env: NodeJS.ProcessEnv): SaslSettings | undefined {
  if (asked === undefined) return undefined;
  const mechanism = saslMechanisms.find((name) => name === asked.toUpperCase());
  if (mechanism === undefined) return fail(`--sasl must be one of ${saslMechanisms.join(", ")}`);
  const { KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = env;
  if (username === undefined || password === undefined)
    return fail("--sasl needs KAFKA_USERNAME and KAFKA_PASSWORD in the environment");
  return { mechanism, username, password };
}

function read(flag: FlagName, path: string): string {
  try {
    const text = readFileSync(path, "utf8");
    if (!text.includes("-----BEGIN ")) fail(`--${flag} ${path}: is not PEM`);
    return text;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return fail(`--${flag} ${path}: ${(error as Error).message}`);
  }
}

function routesOf(values: Values, topic: string, isDryRun: boolean): Routes {
  const { to, only, "to-allowed": allowed, "to-disallowed": disallowed, "dead-letter": dead, later } = values;
  const others = { dead, later };
  for (const [flag, name] of Object.entries({
    to,
    "to-allowed": allowed,
    "to-disallowed": disallowed,
    "dead-letter": dead,
    later,
  })) {
    if (name === topic) fail(`--${flag} ${name}: is the topic of --from`);
  }
  if (to === undefined && allowed === undefined && disallowed === undefined && !isDryRun) fail("--to is missing");
  if (to !== undefined && (allowed !== undefined || disallowed !== undefined))
    fail("--to cannot be combined with --to-allowed or --to-disallowed");
  if (only === undefined)
    return {
      to: to ?? (allowed === undefined && disallowed === undefined ? "" : undefined),
      allowed,
      disallowed,
      ...others,
    };
  if (to === undefined) fail("--only needs --to");
  const answer = choiceOf(values, "only", ["allowed", "disallowed"]);
  return {
    to: undefined,
    allowed: answer === "allowed" ? to : undefined,
    disallowed: answer === "disallowed" ? to : undefined,
    ...others,
  };
}

function decidingOf(values: Values): DecidingSettings {
  const agents = values.agent?.split(",").map((name) => name.trim()) ?? [];
  const robotsPath = values.robots;
  const network = (
    ["cache", "user-agent", "access-policy", "timeout", "concurrency", "per-address", "allow-private"] as const
  ).find((name) => values[name] !== undefined);
  if (robotsPath !== undefined && network !== undefined)
    fail(`--robots cannot be combined with --${network}: with saved files nothing is fetched`);
  const { cache } = values;
  if (cache !== undefined && !/^rediss?:\/\//.test(cache))
    fail("--cache must be redis:// or rediss://, the address of a server");
  const inputFormat = values.input ?? "ndjson";
  if (choiceOf(values, "url-from", ["value", "key"]) === "key" && (values.input ?? values["url-field"]) !== undefined)
    fail("--url-from key cannot be combined with --input or --url-field: values are not read");
  return {
    agents,
    agentField: values["agent-field"],
    robotsPath,
    cacheUrl: cache,
    inputFormat,
    urlField: values["url-field"],
    base: values.base,
    resultKey: values["result-key"] ?? "robots",
    userAgent: values["user-agent"],
    accessPolicy: choiceOf(values, "access-policy", Object.keys(accessPolicies) as AccessPolicyName[]),
    timeoutMs: msOf(values, "timeout", 20),
    concurrency: countOf(values, "concurrency", 256),
    perAddress: countOf(values, "per-address", 8),
    allowPrivate: privateOf(values["allow-private"]),
  };
}

function privateOf(text: string | undefined): boolean | readonly string[] {
  if (text === undefined) return false;
  return text === "all" ? true : text.split(",").map((block) => block.trim());
}

function httpOf(text: string | undefined): Settings["http"] {
  if (text === undefined) return undefined;
  const [, host = "127.0.0.1", port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) fail(`--http ${text}: is not [HOST:]PORT`);
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

function choiceOf<const T extends string>(values: Values, flag: FlagName, names: readonly T[]): T {
  const text = values[flag] ?? names[0]!;
  return names.find((name) => name === text) ?? fail(`--${flag} must be one of ${names.join(", ")}`);
}

function msOf(values: Values, flag: FlagName, otherwise: number): number {
  const text = values[flag] ?? String(otherwise);
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (!(seconds >= 0.05 && seconds <= 86_400)) fail(`--${flag} must be seconds, from 0.05 to 86400`);
  return Math.round(seconds * 1_000);
}

function countOf(values: Values, flag: FlagName, otherwise: number): number {
  const text = values[flag] ?? String(otherwise);
  const count = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(count >= 1 && count <= 1_000_000_000)) fail(`--${flag} must be a whole number of 1 or more`);
  return count;
}

function sizeOf(values: Values, flag: FlagName, otherwise: string): number {
  const [, number, unit = ""] = /^(\d+)([KMG]?)$/.exec(values[flag] ?? otherwise) ?? [];
  if (number === undefined) fail(`--${flag} must be a size: 64M, 1G`);
  const bytes = Number(number) * { "": 1, K: 1_024, M: 1_048_576, G: 1_073_741_824 }[unit]!;
  if (bytes < 65_536) fail(`--${flag} must be 64K or more`);
  return bytes;
}
