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
import { saslMechanisms } from "./kafka/connection.ts";

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

const seconds = { value: "SECONDS", read: secondsFrom(0.05) } as const;

const topicFlags = [
  flag({ name: "from", value: "TOPIC", about: "The topic to read. Required." }),
  flag({ name: "to", value: "TOPIC", about: "The topic for records with their answers." }),
  flag({
    name: "only",
    value: "ANSWER",
    about: "Only records with this answer go to --to: allowed, disallowed.",
    read: oneOf(["allowed", "disallowed"] as const),
  }),
  flag({ name: "to-allowed", value: "TOPIC", about: "The topic for allowed records, instead of --to." }),
  flag({ name: "to-disallowed", value: "TOPIC", about: "The topic for disallowed records, instead of --to." }),
  flag({
    name: "dead-letter",
    value: "TOPIC",
    about: "The topic for messages and lines that cannot be decided, each with the reason.",
    otherwise: "they are counted and reported, but not kept",
  }),
  flag({
    name: "later",
    value: "TOPIC",
    about: "The topic for records whose robots.txt did not arrive within --max-wait.",
    otherwise: "they are dead letters with the code waited",
  }),
  flag({
    name: "source-headers",
    about: "Add headers with the topic, partition and offset of the message that was read.",
  }),
];

const brokerFlags = [
  flag({ name: "brokers", value: "HOST:PORT,…", about: "Some brokers of the cluster. Required.", read: brokersOf }),
  flag({ name: "group", value: "NAME", about: "The consumer group: its processes share the partitions. Required." }),
  flag({
    name: "client-id",
    value: "NAME",
    about: "The name of this client in the brokers' logs.",
    otherwise: "robots-stream-kafka",
    usual: "robots-stream-kafka",
  }),
  flag({
    name: "instance-id",
    value: "NAME",
    about: "A static member: after a restart within --session it gets its partitions back without a rebalance.",
  }),
  flag({ name: "tls", about: "Connect with TLS." }),
  flag({
    name: "tls-ca",
    value: "FILE",
    about: "Trust only the certificates (PEM) in FILE. Implies --tls.",
    read: pemOf,
  }),
  flag({
    name: "tls-cert",
    value: "FILE",
    about: "The certificate (PEM) of this client, with --tls-key.",
    read: pemOf,
  }),
  flag({ name: "tls-key", value: "FILE", about: "The private key (PEM) of this client.", read: pemOf }),
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
  flag({
    name: "url-from",
    value: "key|value",
    about: "key: the key is the URL; the value passes unchanged, and the answer is a header.",
    otherwise: "value",
    read: oneOf(["value", "key"] as const),
    usual: "value",
  }),
  flag({
    name: "base",
    value: "ORIGIN",
    about: "Origin of the requests, for a log that does not name it: https://example.com.",
  }),
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
  flag({
    ...seconds,
    name: "max-wait",
    about: "A record that waits longer for its robots.txt goes to --later.",
    otherwise: "120",
    usual: 120_000,
  }),
  flag({ name: "ordered", about: "Keep the order within each partition; a slow origin then delays its partition." }),
  flag({
    name: "start",
    value: "earliest|latest",
    about:
      "Where reading begins in a partition without a committed offset, or whose committed offset no longer exists.",
    otherwise: "earliest",
    read: oneOf(["earliest", "latest"] as const),
    usual: "earliest",
  }),
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
  flag({
    ...seconds,
    name: "commit-interval",
    about: "How often offsets are committed.",
    otherwise: "1",
    usual: 1_000,
  }),
  flag({
    ...seconds,
    name: "session",
    about: "The group removes a member that sends no heartbeat for this long.",
    otherwise: "45",
    usual: 45_000,
  }),
  flag({
    ...seconds,
    name: "rebalance",
    about: "The group waits this long for members that join again; at least --session.",
    otherwise: "60",
    usual: 60_000,
  }),
  flag({
    ...seconds,
    name: "metadata-interval",
    about: "How often the group's leader looks for new partitions.",
    otherwise: "30",
    usual: 30_000,
  }),
  flag({
    ...seconds,
    name: "drain",
    about: "Time at the end to complete messages that were already read.",
    otherwise: "10",
    usual: 10_000,
  }),
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
  const groups = {
    Topics: topicFlags,
    Brokers: brokerFlags,
    Deciding: decidingFlags,
    "robots.txt": robotsFlags,
    Running: runningFlags,
  };
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
