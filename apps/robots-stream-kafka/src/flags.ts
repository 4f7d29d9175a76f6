// Defines the table of flags: rows of the command for how records are decided and robots.txt files are fetched, and rows of its own.
import {
  type FlagShape,
  fieldFlag,
  mostHelpColumns,
  networkFlags,
  oneDialectFlag,
  renderRows,
  sharedFlag,
  wrapHelp,
} from "robots-stream/internal";

const topicFlags: readonly FlagShape<string>[] = [
  { name: "from", value: "TOPIC", about: "The topic to read. Required." },
  { name: "to", value: "TOPIC", about: "The topic for records with their answers." },
  { name: "only", value: "ANSWER", about: "Only records with this answer go to --to: allowed, disallowed." },
  { name: "to-allowed", value: "TOPIC", about: "The topic for allowed records, instead of --to." },
  { name: "to-disallowed", value: "TOPIC", about: "The topic for disallowed records, instead of --to." },
  {
    name: "dead-letter",
    value: "TOPIC",
    about: "The topic for messages and lines that cannot be decided, each with the reason.",
    otherwise: "they are counted and reported, but not kept",
  },
  {
    name: "later",
    value: "TOPIC",
    about: "The topic for records whose robots.txt did not arrive within --max-wait.",
    otherwise: "they are dead letters with the code waited",
  },
  { name: "source-headers", about: "Add headers with the topic, partition and offset of the message that was read." },
];

const brokerFlags: readonly FlagShape<string>[] = [
  { name: "brokers", value: "HOST:PORT,…", about: "Some brokers of the cluster. Required." },
  { name: "group", value: "NAME", about: "The consumer group: its processes share the partitions. Required." },
  {
    name: "client-id",
    value: "NAME",
    about: "The name of this client in the brokers' logs.",
    otherwise: "robots-stream-kafka",
  },
  {
    name: "instance-id",
    value: "NAME",
    about: "A static member: after a restart within --session it gets its partitions back without a rebalance.",
  },
  { name: "tls", about: "Connect with TLS." },
  { name: "tls-ca", value: "FILE", about: "Trust only the certificates (PEM) in FILE. Implies --tls." },
  { name: "tls-cert", value: "FILE", about: "The certificate (PEM) of this client, with --tls-key." },
  { name: "tls-key", value: "FILE", about: "The private key (PEM) of this client." },
  {
    name: "sasl",
    value: "MECHANISM",
    about: "PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512. Name and password come from KAFKA_USERNAME and KAFKA_PASSWORD.",
  },
];

const decidingFlags: readonly FlagShape<string>[] = [
  sharedFlag("agent"),
  sharedFlag("agents"),
  fieldFlag("agent-field"),
  sharedFlag("crawlers"),
  sharedFlag("no-fallback"),
  oneDialectFlag,
  sharedFlag("token-match"),
  sharedFlag("target"),
  { ...sharedFlag("input"), about: "The format of messages, which have one line or several.", otherwise: "ndjson" },
  { ...fieldFlag("url-field"), otherwise: "url" },
  {
    name: "url-from",
    value: "key|value",
    about: "key: the key is the URL; the value passes unchanged, and the answer is a header.",
    otherwise: "value",
  },
  // A message has no file name, so there is one origin.
  {
    name: "base",
    value: "ORIGIN",
    about: "Origin of the requests, for a log that does not name it: https://example.com.",
  },
  { ...sharedFlag("result-key"), about: "Name of the added object." },
  sharedFlag("max-line-bytes"),
];

const robotsFlags: readonly FlagShape<string>[] = [
  sharedFlag("robots"),
  sharedFlag("max-bytes"),
  {
    ...sharedFlag("cache"),
    value: "redis://…",
    about: "A Redis or Valkey server, so that the whole group fetches each origin once.",
    otherwise: "each process has its own, in memory",
  },
  ...networkFlags,
];

const runningFlags: readonly FlagShape<string>[] = [
  {
    name: "max-wait",
    value: "SECONDS",
    about: "A record that waits longer for its robots.txt goes to --later.",
    otherwise: "120",
  },
  { name: "ordered", about: "Keep the order within each partition; a slow origin then delays its partition." },
  {
    name: "start",
    value: "earliest|latest",
    about:
      "Where reading begins in a partition without a committed offset, or whose committed offset no longer exists.",
    otherwise: "earliest",
  },
  {
    name: "park-bytes",
    value: "SIZE",
    about: "Memory for messages in progress; at this limit, reading pauses.",
    otherwise: "64M",
  },
  {
    name: "max-span",
    value: "N",
    about: "Maximum number of offsets of one partition, from the first incomplete message to the last message read.",
    otherwise: "100000",
  },
  { name: "commit-interval", value: "SECONDS", about: "How often offsets are committed.", otherwise: "1" },
  {
    name: "session",
    value: "SECONDS",
    about: "The group removes a member that sends no heartbeat for this long.",
    otherwise: "45",
  },
  {
    name: "rebalance",
    value: "SECONDS",
    about: "The group waits this long for members that join again; at least --session.",
    otherwise: "60",
  },
  {
    name: "metadata-interval",
    value: "SECONDS",
    about: "How often the group's leader looks for new partitions.",
    otherwise: "30",
  },
  {
    name: "drain",
    value: "SECONDS",
    about: "Time at the end to complete messages that were already read.",
    otherwise: "10",
  },
  { name: "http", value: "[HOST:]PORT", about: "Serve /livez, /readyz and /metrics.", otherwise: "nothing is served" },
  {
    name: "dry-run",
    about:
      "Decide the first messages of each partition (at most 100) and print the rows; join no group, write nothing.",
  },
  { name: "help", short: "h", about: "Print this." },
  { name: "version", about: "Print the version." },
];

const groups: Readonly<Record<string, readonly FlagShape<string>[]>> = {
  Topics: topicFlags,
  Brokers: brokerFlags,
  Deciding: decidingFlags,
  "robots.txt": robotsFlags,
  Running: runningFlags,
};

/** All flags, in the order of the help. */
export const flags: readonly FlagShape<string>[] = Object.values(groups).flat();

/** The flag for an option of the engine, with or without a value, for messages; undefined for an option that this program does not have. */
export function flagOfOption(option: string, value: string | undefined): string | undefined {
  const name = otherNames.get(option) ?? option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (!flags.some((flag) => flag.name === name)) return undefined;
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
