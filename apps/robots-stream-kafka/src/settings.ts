// Converts arguments and environment to settings; throws the engine's UsageError for the first mistake.
import type { DecideMessagesOptions } from "@robots-stream/engine";
import {
  requestedAgentsOf,
  type Given,
  given,
  notTogether,
  parseCommandLine,
  type RobotsSettings,
  robotsSettingsOf,
} from "robots-stream/internal";
import type { ConnectionSettings } from "./kafka/connection.ts";
import type { GroupSettings } from "./kafka/group.ts";
import type { Routes } from "./flow/delivery.ts";
import { flags as rows, wrongValue } from "./flags.ts";

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

type Flags = Given<(typeof rows)[number]>;

/** Reads a command line. Throws a `UsageError` for the first mistake. */
export function settingsOf(argv: readonly string[], env: NodeJS.ProcessEnv): Settings | "help" | "version" {
  const { values, files } = parseCommandLine(rows, argv, "robots-stream-kafka");
  const flags = given(values, rows);
  if (flags.has("help")) return "help";
  if (flags.has("version")) return "version";
  if (files.length > 0) throw wrongValue(`"${files[0]}" belongs to no flag`);
  const topic = required(flags, "from");
  const isDryRun = flags.get("dry-run");
  const sessionMs = flags.get("session");
  const robots = robotsSettingsOf(values);
  const cacheUrl = flags.get("cache");
  if (cacheUrl !== undefined && flags.has("robots"))
    throw notTogether("robots", "cache", "saved files replace the network");
  return {
    connection: connectionOf(flags, env),
    group: {
      groupId: isDryRun ? (flags.get("group") ?? "robots-stream-kafka-dry-run") : required(flags, "group"),
      topic,
      instanceId: flags.get("instance-id"),
      sessionMs,
      rebalanceMs: Math.max(flags.get("rebalance"), sessionMs),
      heartbeatMs: Math.min(3_000, Math.floor(sessionMs / 3)),
      metadataMs: flags.get("metadata-interval"),
    },
    topic,
    routes: routesOf(flags, topic, isDryRun),
    deciding: decidingOf(flags, robots),
    robots,
    cacheUrl,
    urlFrom: flags.get("url-from"),
    ordered: flags.get("ordered"),
    sourceHeaders: flags.get("source-headers"),
    start: flags.get("start"),
    maxWaitMs: flags.get("max-wait"),
    parkBytes: flags.get("park-bytes"),
    mostSpan: flags.get("max-span"),
    commitMs: flags.get("commit-interval"),
    drainMs: flags.get("drain"),
    http: flags.get("http"),
    isDryRun,
  };
}

function required(flags: Flags, name: "from" | "group"): string {
  const value = flags.get(name);
  if (value === undefined) throw wrongValue(`--${name} is missing`);
  return value;
}

function connectionOf(flags: Flags, env: NodeJS.ProcessEnv): ConnectionSettings {
  const [brokers, mechanism] = [flags.get("brokers"), flags.get("sasl")];
  if (brokers === undefined) throw wrongValue("--brokers is missing");
  const { KAFKA_USERNAME: username = "", KAFKA_PASSWORD: password = "" } = env;
  if (mechanism !== undefined && (username === "" || password === ""))
    throw wrongValue("--sasl needs KAFKA_USERNAME and KAFKA_PASSWORD in the environment");
  const [ca, cert, key] = [flags.get("tls-ca"), flags.get("tls-cert"), flags.get("tls-key")];
  if ((cert === undefined) !== (key === undefined)) throw wrongValue("--tls-cert and --tls-key belong together");
  const tls = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert, key: key! }) };
  return {
    brokers,
    clientId: flags.get("client-id"),
    ...(flags.first("tls", "tls-ca", "tls-cert") === undefined ? {} : { tls }),
    ...(mechanism === undefined ? {} : { sasl: { mechanism, username, password } }),
  };
}

function routesOf(flags: Flags, topic: string, isDryRun: boolean): Routes {
  const names = ["to", "to-allowed", "to-disallowed", "dead-letter", "later"] as const;
  const [to, allowed, disallowed, dead, later] = names.map((name) => flags.get(name));
  for (const name of names)
    if (flags.get(name) === topic) throw wrongValue(`--${name} ${topic}: is the topic of --from`);
  const isDivided = allowed !== undefined || disallowed !== undefined;
  if (to === undefined && !isDivided && !isDryRun) throw wrongValue("--to is missing");
  if (to !== undefined && isDivided) throw wrongValue("--to cannot be combined with --to-allowed or --to-disallowed");
  const only = flags.get("only");
  if (only === undefined) return { to: isDivided ? undefined : (to ?? ""), allowed, disallowed, dead, later };
  if (to === undefined) throw wrongValue("--only needs --to");
  return { to: undefined, allowed: undefined, disallowed: undefined, [only]: to, dead, later };
}

function decidingOf(flags: Flags, { network }: RobotsSettings): Settings["deciding"] {
  const isKey = flags.get("url-from") === "key";
  const unread = isKey ? flags.first("input", "url-field", "result-key") : undefined;
  if (unread !== undefined) throw notTogether("url-from key", unread, "values are not read");
  const agentField = flags.get("agent-field");
  const [tokens, sets] = [flags.get("agent"), flags.get("agents")];
  const [crawlers, tokenMatch] = [flags.get("crawlers"), flags.get("token-match")];
  const [urlField, base] = [flags.get("url-field"), flags.get("base")];
  return {
    ...(agentField === undefined ? {} : { agentField }),
    ...(agentField !== undefined && tokens.length + sets.length === 0
      ? {}
      : { agents: requestedAgentsOf(tokens, sets) }),
    ...(crawlers === undefined ? {} : { crawlers }),
    ...(tokenMatch === undefined ? {} : { tokenMatch }),
    ...(flags.has("dialect") ? { dialects: flags.get("dialect") } : {}),
    fallback: !flags.get("no-fallback"),
    target: flags.get("target"),
    inputFormat: flags.get("input")?.name ?? "ndjson",
    ...(urlField === undefined ? {} : { urlField }),
    ...(base === undefined ? {} : { base }),
    resultKey: flags.get("result-key"),
    maxLineBytes: flags.get("max-line-bytes"),
    concurrency: network.concurrency,
  };
}
