// Converts arguments and environment to settings; throws the engine's UsageError for the first mistake.
import type { DecideMessagesOptions } from "@robots-stream/engine";
import {
  type Given,
  given,
  notTogether,
  parseCommandLine,
  requestedAgentsOf,
  robotsSettingsOf,
} from "robots-stream/internal";
import type { ClientOptions } from "./kafka/client.ts";
import { flags as rows, wrongValue } from "./flags.ts";

type Flags = Given<(typeof rows)[number]>;
export type Settings = Exclude<ReturnType<typeof settingsOf>, string>;
/** How messages flow; the flags' texts describe it. */
export type Flow = Settings["flow"];
/** How the group is joined. */
export type GroupSettings = Settings["group"];

/** The output topics. */
export interface Routes {
  /** The topic for all rows; undefined if each answer has a topic of its own. */
  readonly to: string | undefined;
  readonly allowed: string | undefined;
  readonly disallowed: string | undefined;
  /** The topic for dead letters. If undefined, dead letters are counted and reported, but not written. */
  readonly dead: string | undefined;
  /** The topic for lines that waited too long. If undefined, these lines are dead letters. */
  readonly later: string | undefined;
}

/** Reads a command line. Throws a `UsageError` for the first mistake. */
export function settingsOf(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const { values, files } = parseCommandLine(rows, argv, "robots-stream-kafka");
  const flags = given(values, rows);
  if (flags.has("help")) return "help";
  if (flags.has("version")) return "version";
  if (files.length > 0) throw wrongValue(`"${files[0]}" belongs to no flag`);
  const topic = required(flags, "from");
  const isDryRun = flags.get("dry-run");
  const sessionMs = flags.get("session");
  const rebalanceMs = Math.max(flags.get("rebalance"), sessionMs);
  const robots = robotsSettingsOf(values);
  if (flags.has("cache") && flags.has("robots"))
    throw notTogether("robots", "cache", "saved files replace the network");
  return {
    topic,
    isDryRun,
    // A broker holds each join request until all members have joined, so the timeout of requests must be longer than a rebalance.
    client: clientOptionsOf(flags, env, rebalanceMs + 10_000),
    group: {
      groupId: isDryRun ? (flags.get("group") ?? "robots-stream-kafka-dry-run") : required(flags, "group"),
      topic,
      instanceId: flags.get("instance-id"),
      sessionMs,
      rebalanceMs,
      metadataMs: flags.get("metadata-interval"),
    },
    flow: {
      topic,
      routes: routesOf(flags, topic, isDryRun),
      urlFrom: flags.get("url-from"),
      ordered: flags.get("ordered"),
      sourceHeaders: flags.get("source-headers"),
      start: flags.get("start"),
      maxWaitMs: flags.get("max-wait"),
      parkBytes: flags.get("park-bytes"),
      mostSpan: flags.get("max-span"),
      commitMs: flags.get("commit-interval"),
    },
    deciding: { ...decidingOf(flags), concurrency: robots.network.concurrency },
    robots,
    cacheUrl: flags.get("cache"),
    drainMs: flags.get("drain"),
    http: flags.get("http"),
  };
}

function required(flags: Flags, name: "from" | "group"): string {
  const value = flags.get(name);
  if (value === undefined) throw wrongValue(`--${name} is missing`);
  return value;
}

function clientOptionsOf(flags: Flags, env: NodeJS.ProcessEnv, requestTimeout: number): ClientOptions {
  const [brokers, mechanism] = [flags.get("brokers"), flags.get("sasl")];
  if (brokers === undefined) throw wrongValue("--brokers is missing");
  const { KAFKA_USERNAME: username = "", KAFKA_PASSWORD: password = "" } = env;
  if (mechanism !== undefined && (username === "" || password === ""))
    throw wrongValue("--sasl needs KAFKA_USERNAME and KAFKA_PASSWORD in the environment");
  const [ca, cert, key] = [flags.get("tls-ca"), flags.get("tls-cert"), flags.get("tls-key")];
  if ((cert === undefined) !== (key === undefined)) throw wrongValue("--tls-cert and --tls-key belong together");
  const tls = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert, key: key! }) };
  return {
    bootstrapBrokers: [...brokers],
    retries: 0,
    connectTimeout: 5_000,
    requestTimeout,
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

type Deciding = Omit<DecideMessagesOptions<never>, "robots" | "onPart" | "byAnswer" | "parkBytes">;

/** How records are decided. */
function decidingOf(flags: Flags): Deciding {
  const unread = flags.get("url-from") === "key" ? flags.first("input", "url-field", "result-key") : undefined;
  if (unread !== undefined) throw notTogether("url-from key", unread, "values are not read");
  const agentField = flags.get("agent-field");
  const [tokens, sets] = [flags.get("agent"), flags.get("agents")];
  const isNamed = agentField === undefined || tokens.length + sets.length > 0;
  // The engine takes an undefined option as one that is not given.
  return {
    agentField,
    agents: isNamed ? requestedAgentsOf(tokens, sets) : undefined,
    crawlers: flags.get("crawlers"),
    tokenMatch: flags.get("token-match"),
    dialects: flags.has("dialect") ? flags.get("dialect") : undefined,
    fallback: !flags.get("no-fallback"),
    target: flags.get("target"),
    inputFormat: flags.get("input")?.name ?? "ndjson",
    urlField: flags.get("url-field"),
    base: flags.get("base"),
    resultKey: flags.get("result-key"),
    maxLineBytes: flags.get("max-line-bytes"),
  } satisfies { readonly [Name in keyof Deciding]: Deciding[Name] | undefined } as Deciding;
}
