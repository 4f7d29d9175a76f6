// Converts arguments and environment to settings; throws the engine's UsageError for the first mistake.
import { readFileSync } from "node:fs";
import { type DecideMessagesOptions, UsageError } from "@robots-stream/engine";
import {
  askedAgentsOf,
  choiceOf as choiceIn,
  type FlagValues,
  lastOf,
  notTogether,
  numberOf,
  parseCommandLine,
  questionOptionsOf,
  type RobotsSettings,
  robotsSettingsOf,
  sizeOf,
  targetFormOf,
  wholeOf,
} from "robots-stream/internal";
import { type ConnectionSettings, type SaslSettings, saslMechanisms } from "./kafka/connection.ts";
import type { GroupSettings } from "./kafka/group.ts";
import type { Routes } from "./flow/delivery.ts";
import { flags } from "./flags.ts";

export interface Settings {
  readonly connection: ConnectionSettings;
  readonly group: GroupSettings;
  readonly topic: string;
  readonly routes: Routes;
  /** How records are decided, without the loader of robots.txt files. */
  readonly deciding: Omit<DecideMessagesOptions<never>, "robots" | "onPart" | "byAnswer">;
  readonly robots: RobotsSettings;
  readonly cacheUrl: string | undefined;
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

type Values = FlagValues<string>;

/** Reads a command line. Throws a `UsageError` for the first mistake. */
export function settingsOf(argv: readonly string[], env: NodeJS.ProcessEnv): Settings | "help" | "version" {
  const { values, files } = parseCommandLine(flags, argv, "robots-stream-kafka");
  if (values.has("help")) return "help";
  if (values.has("version")) return "version";
  if (files.length > 0) fail(`"${files[0]}" belongs to no flag`);
  const required = (name: string): string => lastOf(values, name) ?? fail(`--${name} is missing`);
  const topic = required("from");
  const isDryRun = values.has("dry-run");
  const sessionMs = msOf(values, "session", "45");
  const urlFrom = choiceOf(values, "url-from", ["value", "key"]);
  const robots = robotsSettingsOf(values);
  return {
    connection: connectionOf(required("brokers"), values, env),
    group: {
      groupId: isDryRun ? (lastOf(values, "group") ?? "robots-stream-kafka-dry-run") : required("group"),
      topic,
      instanceId: lastOf(values, "instance-id"),
      sessionMs,
      rebalanceMs: Math.max(msOf(values, "rebalance", "60"), sessionMs),
      heartbeatMs: Math.min(3_000, Math.floor(sessionMs / 3)),
      metadataMs: msOf(values, "metadata-interval", "30"),
    },
    topic,
    routes: routesOf(values, topic, isDryRun),
    deciding: decidingOf(values, urlFrom, robots),
    robots,
    cacheUrl: cacheOf(values),
    urlFrom,
    ordered: values.has("ordered"),
    sourceHeaders: values.has("source-headers"),
    start: choiceOf(values, "start", ["earliest", "latest"]),
    maxWaitMs: msOf(values, "max-wait", "120"),
    parkBytes: sizeOf("park-bytes", lastOf(values, "park-bytes") ?? "64M", { least: "64K", most: "64G" }),
    mostSpan: wholeOf("max-span", lastOf(values, "max-span") ?? "100000", 1, 1_000_000_000),
    commitMs: msOf(values, "commit-interval", "1"),
    drainMs: msOf(values, "drain", "10"),
    http: httpOf(lastOf(values, "http")),
    isDryRun,
  };
}

function fail(message: string): never {
  throw new UsageError("wrong-value", message, "robots-stream-kafka --help lists the flags");
}

function connectionOf(brokers: string, values: Values, env: NodeJS.ProcessEnv): ConnectionSettings {
  const list = brokers.split(",").map((broker) => broker.trim());
  for (const broker of list)
    if (!/^(?:\[[0-9a-fA-F:]+\]|[^\s:,/]+):\d{1,5}$/.test(broker)) fail(`--brokers ${broker}: is not HOST:PORT`);
  const sasl = saslOf(values, env);
  const [ca, cert, key] = (["tls-ca", "tls-cert", "tls-key"] as const).map((name) => pemOf(values, name));
  if ((cert === undefined) !== (key === undefined)) fail("--tls-cert and --tls-key belong together");
  const isTls = values.has("tls") || ca !== undefined || cert !== undefined;
  const tls = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert, key: key! }) };
  const clientId = lastOf(values, "client-id") ?? "robots-stream-kafka";
  return { brokers: list, clientId, ...(isTls ? { tls } : {}), ...(sasl === undefined ? {} : { sasl }) };
}

function saslOf(values: Values, env: NodeJS.ProcessEnv): SaslSettings | undefined {
  if (!values.has("sasl")) return undefined;
  const mechanism = choiceOf(values, "sasl", saslMechanisms);
  const { KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = env;
  if (username === undefined || password === undefined)
    return fail("--sasl needs KAFKA_USERNAME and KAFKA_PASSWORD in the environment");
  return { mechanism, username, password };
}

/** The text of the file that a flag names. */
function pemOf(values: Values, flag: string): string | undefined {
  const path = lastOf(values, flag);
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return fail(`--${flag} ${path}: ${(error as Error).message}`);
  }
  return text.includes("-----BEGIN ") ? text : fail(`--${flag} ${path}: is not PEM`);
}

function routesOf(values: Values, topic: string, isDryRun: boolean): Routes {
  const names = ["to", "to-allowed", "to-disallowed", "dead-letter", "later"] as const;
  const [to, allowed, disallowed, dead, later] = names.map((name) => lastOf(values, name));
  for (const name of names) if (lastOf(values, name) === topic) fail(`--${name} ${topic}: is the topic of --from`);
  const isDivided = allowed !== undefined || disallowed !== undefined;
  if (to === undefined && !isDivided && !isDryRun) fail("--to is missing");
  if (to !== undefined && isDivided) fail("--to cannot be combined with --to-allowed or --to-disallowed");
  if (!values.has("only")) return { to: isDivided ? undefined : (to ?? ""), allowed, disallowed, dead, later };
  if (to === undefined) fail("--only needs --to");
  const only = choiceOf(values, "only", ["allowed", "disallowed"]);
  return { to: undefined, allowed: undefined, disallowed: undefined, [only]: to, dead, later };
}

function decidingOf(values: Values, urlFrom: Settings["urlFrom"], { network }: RobotsSettings): Settings["deciding"] {
  for (const name of ["input", "url-field"] as const)
    if (urlFrom === "key" && values.has(name)) throw notTogether("url-from key", name, "values are not read");
  const agentField = lastOf(values, "agent-field");
  const [tokens, sets] = [values.get("agent") ?? [], values.get("agents") ?? []];
  const { crawlers, dialects, tokenMatch, hasFallback } = questionOptionsOf(values);
  const [urlField, base] = [lastOf(values, "url-field"), lastOf(values, "base")];
  return {
    ...(agentField === undefined ? {} : { agentField }),
    ...(agentField !== undefined && tokens.length + sets.length === 0 ? {} : { agents: askedAgentsOf(tokens, sets) }),
    ...(crawlers === undefined ? {} : { crawlers }),
    ...(tokenMatch === undefined ? {} : { tokenMatch }),
    ...(values.has("dialect") ? { dialects } : {}),
    fallback: hasFallback,
    target: targetFormOf(values),
    inputFormat: lastOf(values, "input") ?? "ndjson",
    ...(urlField === undefined ? {} : { urlField }),
    ...(base === undefined ? {} : { base }),
    resultKey: urlFrom === "key" ? "robots" : (lastOf(values, "result-key") ?? "robots"),
    maxLineBytes: sizeOf("max-line-bytes", lastOf(values, "max-line-bytes") ?? "1M"),
    concurrency: network.concurrency,
  };
}

function cacheOf(values: Values): string | undefined {
  const url = lastOf(values, "cache");
  if (url === undefined) return undefined;
  if (values.has("robots")) throw notTogether("robots", "cache", "saved files replace the network");
  if (!/^rediss?:\/\//.test(url)) fail("--cache must be redis:// or rediss://, the address of a server");
  return url;
}

function httpOf(text: string | undefined): Settings["http"] {
  if (text === undefined) return undefined;
  const [, host = "127.0.0.1", port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) fail(`--http ${text}: is not [HOST:]PORT`);
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

/** The value of a flag; the first of `names` without the flag. */
function choiceOf<const T extends string>(values: Values, flag: string, names: readonly T[]): T {
  return choiceIn(flag, lastOf(values, flag) ?? names[0]!, names);
}

function msOf(values: Values, flag: string, otherwise: string): number {
  return Math.round(numberOf(flag, lastOf(values, flag) ?? otherwise, 0.05, 86_400) * 1_000);
}
