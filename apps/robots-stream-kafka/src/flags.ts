// Defines the table of flags: rows of the command for how records are decided and robots.txt files are fetched, and rows of its own.
import { readFileSync } from "node:fs";
import { UsageError } from "@robots-stream/engine";
import {
  agentFieldFlag,
  agentFlag,
  agentsFlag,
  crawlersFlag,
  flag,
  helpFlag,
  inputFlag,
  maxBytesFlag,
  maxLineBytesFlag,
  mostHelpColumns,
  networkFlags,
  noFallbackFlag,
  oneDialectFlag,
  oneOf,
  renderRows,
  resultKeyFlag,
  robotsFlag,
  secondsFrom,
  sizeFrom,
  targetFlag,
  tokenMatchFlag,
  wholeFrom,
  wrapHelp,
} from "robots-stream/internal";
import { saslMechanisms } from "./kafka/client.ts";

/** The error for a value that a row of this app refuses. */
export function wrongValue(message: string): UsageError {
  return new UsageError("wrong-value", message, "robots-stream-kafka --help lists the flags");
}

/** Reads a list of HOST:PORT. */
function brokersOf(text: string): readonly string[] {
  const list = text.split(",").map((broker) => broker.trim());
  for (const broker of list)
    if (!/^(?:\[[0-9a-fA-F:]+\]|[^\s:,/]+):\d{1,5}$/.test(broker))
      throw wrongValue(`--brokers ${broker}: is not HOST:PORT`);
  return list;
}

/** Reads the text of the file that the value names. */
function pemOf(path: string, name: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw wrongValue(`--${name} ${path}: ${(error as Error).message}`);
  }
  if (!text.includes("-----BEGIN ")) throw wrongValue(`--${name} ${path}: is not PEM`);
  return text;
}

/** Reads the URL of a cache. Messages never quote it, because it may contain a password. */
function cacheOf(url: string): string {
  if (/^rediss?:\/\//.test(url)) return url;
  throw wrongValue("--cache must be redis:// or rediss://, the address of a server");
}

/** Reads the address of a server: a port, after a host and a colon or alone. */
function addressOf(text: string): { readonly host: string; readonly port: number } {
  const [, host = "127.0.0.1", port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) throw wrongValue(`--http ${text}: is not [HOST:]PORT`);
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

/** A row whose value is taken as it is. */
function textFlag<Name extends string>(name: Name, value: string, about: string) {
  return flag({ name, value, about });
}

/** A row whose value is a file in PEM; its value is the text of the file. */
function pemFlag<Name extends string>(name: Name, about: string) {
  return flag({ name, value: "FILE", about, read: pemOf });
}

/** A row whose value is a time in seconds; its value is in milliseconds. */
function secondsFlag<Name extends string>(name: Name, usual: number, about: string) {
  const read = secondsFrom(0.05);
  return flag({ name, value: "SECONDS", about, otherwise: String(usual), read, usual: usual * 1_000 });
}

/** A row whose value is one of two words, the first without the flag. */
function eitherFlag<Name extends string, Word extends string>(name: Name, words: readonly [Word, Word], about: string) {
  const [usual] = words;
  return flag({ name, value: words.join("|"), about, otherwise: usual, read: oneOf(words), usual });
}

const topicFlags = [
  textFlag("from", "TOPIC", "The topic to read. Required."),
  textFlag("to", "TOPIC", "The topic for records with their answers."),
  flag({
    name: "only",
    value: "ANSWER",
    about: "Only records with this answer go to --to: allowed, disallowed.",
    read: oneOf(["allowed", "disallowed"] as const),
  }),
  textFlag("to-allowed", "TOPIC", "The topic for allowed records, instead of --to."),
  textFlag("to-disallowed", "TOPIC", "The topic for disallowed records, instead of --to."),
  {
    ...textFlag(
      "dead-letter",
      "TOPIC",
      "The topic for messages and lines that cannot be decided, each with the reason.",
    ),
    otherwise: "they are counted and reported, but not kept",
  },
  {
    ...textFlag("later", "TOPIC", "The topic for records whose robots.txt did not arrive within --max-wait."),
    otherwise: "they are dead letters with the code waited",
  },
  flag({
    name: "source-headers",
    about: "Add headers with the topic, partition and offset of the message that was read.",
  }),
];

const brokerFlags = [
  flag({ name: "brokers", value: "HOST:PORT,…", about: "Some brokers of the cluster. Required.", read: brokersOf }),
  textFlag("group", "NAME", "The consumer group: its processes share the partitions. Required."),
  flag({
    name: "client-id",
    value: "NAME",
    about: "The name of this client in the brokers' logs.",
    otherwise: "robots-stream-kafka",
    usual: "robots-stream-kafka",
  }),
  textFlag(
    "instance-id",
    "NAME",
    "A static member: after a restart within --session it gets its partitions back without a rebalance.",
  ),
  flag({ name: "tls", about: "Connect with TLS." }),
  pemFlag("tls-ca", "Trust only the certificates (PEM) in FILE. Implies --tls."),
  pemFlag("tls-cert", "The certificate (PEM) of this client, with --tls-key."),
  pemFlag("tls-key", "The private key (PEM) of this client."),
  flag({
    name: "sasl",
    value: "MECHANISM",
    about: `${saslMechanisms.join(", ")}. Name and password come from KAFKA_USERNAME and KAFKA_PASSWORD.`,
    read: oneOf(saslMechanisms),
  }),
];

const decidingFlags = [
  agentFlag,
  agentsFlag,
  agentFieldFlag,
  crawlersFlag,
  noFallbackFlag,
  oneDialectFlag,
  tokenMatchFlag,
  targetFlag,
  { ...inputFlag, about: "The format of messages, which have one line or several.", otherwise: "ndjson" },
  flag({ name: "url-field", value: "NAME", about: "Field with the URL, or a path to it.", otherwise: "url" }),
  eitherFlag(
    "url-from",
    ["value", "key"],
    "key: the key is the URL; the value passes unchanged, and the answer is a header.",
  ),
  textFlag("base", "ORIGIN", "Origin of the requests, for a log that does not name it: https://example.com."),
  { ...resultKeyFlag, about: "Name of the added object." },
  maxLineBytesFlag,
];

const robotsFlags = [
  robotsFlag,
  maxBytesFlag,
  flag({
    name: "cache",
    value: "redis://…",
    about: "A Redis or Valkey server, so that the whole group fetches each origin once.",
    otherwise: "each process has its own, in memory",
    read: cacheOf,
  }),
  ...networkFlags,
];

const runningFlags = [
  secondsFlag("max-wait", 120, "A record that waits longer for its robots.txt goes to --later."),
  flag({ name: "ordered", about: "Keep the order within each partition; a slow origin then delays its partition." }),
  eitherFlag(
    "start",
    ["earliest", "latest"],
    "Where reading begins in a partition without a committed offset, or whose committed offset no longer exists.",
  ),
  flag({
    name: "park-bytes",
    value: "SIZE",
    about: "Memory for messages in progress; at this limit, reading pauses.",
    otherwise: "64M",
    read: sizeFrom("64K", "64G"),
    usual: 64 * 1_048_576,
  }),
  flag({
    name: "max-span",
    value: "N",
    about: "Maximum number of offsets of one partition, from the first incomplete message to the last message read.",
    otherwise: "100000",
    read: wholeFrom(1, 1_000_000_000),
    usual: 100_000,
  }),
  secondsFlag("commit-interval", 1, "How often offsets are committed."),
  secondsFlag("session", 45, "The group removes a member that sends no heartbeat for this long."),
  secondsFlag("rebalance", 60, "The group waits this long for members that join again; at least --session."),
  secondsFlag("metadata-interval", 30, "How often the group's leader looks for new partitions."),
  secondsFlag("drain", 10, "Time at the end to complete messages that were already read."),
  flag({
    name: "http",
    value: "[HOST:]PORT",
    about: "Serve /livez, /readyz and /metrics.",
    otherwise: "nothing is served",
    read: addressOf,
  }),
  flag({
    name: "dry-run",
    about:
      "Decide the first messages of each partition (at most 100) and print the rows; join no group, write nothing.",
  }),
  helpFlag,
  flag({ name: "version", about: "Print the version." }),
];

const groups = {
  Topics: topicFlags,
  Brokers: brokerFlags,
  Deciding: decidingFlags,
  "robots.txt": robotsFlags,
  Running: runningFlags,
};

/** All flags, in the order of the help. */
export const flags = [...topicFlags, ...brokerFlags, ...decidingFlags, ...robotsFlags, ...runningFlags];

/** The flag for an option of the engine, with or without a value, for messages; undefined for an option that this program does not have. */
export function flagOfOption(option: string, value: string | undefined): string | undefined {
  const name = otherNames.get(option) ?? option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (!flags.some((row) => row.name === name)) return undefined;
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

const otherNames: ReadonlyMap<string, string> = new Map([
  ["agents", "agent"],
  ["inputFormat", "input"],
]);

export function renderHelp(): string {
  const parts = Object.entries(groups).map(([title, rows]) => `${title}\n${renderRows(rows)}`);
  const text = `robots-stream-kafka: may this crawler fetch each URL of a topic, and which robots.txt line says so?

Usage
  robots-stream-kafka --brokers HOST:PORT --group NAME --from TOPIC --to TOPIC --agent TOKEN [flags]

Each message has one record, or one record per line; its output has the same key, timestamp and headers. Delivery is at least once: after a crash, messages above the last committed offsets are decided again. SIGTERM and Ctrl-C stop the process cleanly.

${parts.join("\n\n")}

Exit codes
  0    ended by a signal; the output of all messages read is written and committed
  2    wrong usage: flags, a missing topic, refused authentication, a missing snapshot
  3    deciding or writing failed for good
  4    ended before all messages read were finished (--drain); the others will be read again
`;
  return wrapHelp(text, mostHelpColumns);
}
