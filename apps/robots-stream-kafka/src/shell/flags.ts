// Defines the table of flags, for parsing and for the help.
import type { ParseArgsOptionDescriptor } from "node:util";
import { accessPolicies } from "@robots-stream/fetch/internal";

interface Flag {
  /** The placeholder of the flag's value in the help; absent for a switch. */
  readonly value?: string;
  readonly about: string;
  readonly otherwise?: string;
  readonly group: "Topics" | "Brokers" | "Deciding" | "Running";
}

export type FlagName =
  | "brokers"
  | "group"
  | "from"
  | "to"
  | "only"
  | "to-allowed"
  | "to-disallowed"
  | "dead-letter"
  | "later"
  | "source-headers"
  | "client-id"
  | "instance-id"
  | "tls"
  | "tls-ca"
  | "tls-cert"
  | "tls-key"
  | "sasl"
  | "agent"
  | "agent-field"
  | "robots"
  | "cache"
  | "input"
  | "url-field"
  | "url-from"
  | "base"
  | "result-key"
  | "user-agent"
  | "access-policy"
  | "timeout"
  | "concurrency"
  | "per-address"
  | "allow-private"
  | "max-wait"
  | "ordered"
  | "start"
  | "park-bytes"
  | "max-span"
  | "commit-interval"
  | "session"
  | "rebalance"
  | "metadata-interval"
  | "drain"
  | "http"
  | "dry-run"
  | "help"
  | "version";

/** All flags, in the order of the help. */
const flags: Readonly<Record<FlagName, Flag>> = {
  brokers: { value: "HOST:PORT,…", group: "Brokers", about: "Some brokers of the cluster. Required." },
  group: {
    value: "NAME",
    group: "Brokers",
    about: "The consumer group: its processes share the partitions. Required.",
  },
  from: { value: "TOPIC", group: "Topics", about: "The topic to read. Required." },
  to: { value: "TOPIC", group: "Topics", about: "The topic for records with their answers." },
  only: { value: "ANSWER", group: "Topics", about: "Only records with this answer go to --to: allowed, disallowed." },
  "to-allowed": { value: "TOPIC", group: "Topics", about: "The topic for allowed records, instead of --to." },
  "to-disallowed": { value: "TOPIC", group: "Topics", about: "The topic for disallowed records, instead of --to." },
  "dead-letter": {
    value: "TOPIC",
    group: "Topics",
    about: "The topic for messages and lines that cannot be decided, each with the reason.",
    otherwise: "they are counted and reported, but not kept",
  },
  later: {
    value: "TOPIC",
    group: "Topics",
    about: "The topic for records whose robots.txt did not arrive within --max-wait.",
    otherwise: "they are dead letters with the code waited",
  },
  "source-headers": {
    group: "Topics",
    about: "Add headers with the topic, partition and offset of the message that was read.",
  },
  "client-id": {
    value: "NAME",
    group: "Brokers",
    about: "The name of this client in the brokers' logs.",
    otherwise: "robots-stream-kafka",
  },
  "instance-id": {
    value: "NAME",
    group: "Brokers",
    about: "A static member: after a restart within --session it gets its partitions back without a rebalance.",
  },
  tls: { group: "Brokers", about: "Connect with TLS." },
  "tls-ca": {
    value: "FILE",
    group: "Brokers",
    about: "Trust only the certificates (PEM) in FILE. Implies --tls.",
  },
  "tls-cert": { value: "FILE", group: "Brokers", about: "The certificate (PEM) of this client, with --tls-key." },
  "tls-key": { value: "FILE", group: "Brokers", about: "The private key (PEM) of this client." },
  sasl: {
    value: "MECHANISM",
    group: "Brokers",
    about: "PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512. Name and password come from KAFKA_USERNAME and KAFKA_PASSWORD.",
  },
  agent: { value: "NAME", group: "Deciding", about: "The crawler's product token; several with commas." },
  "agent-field": {
    value: "FIELD",
    group: "Deciding",
    about: "The field with the User-Agent header of each record's crawler, for which the record is decided.",
  },
  robots: {
    value: "PATH",
    group: "Deciding",
    about: "Saved robots.txt files: a snapshot, an archive or a folder.",
    otherwise: "they are fetched",
  },
  cache: {
    value: "redis://…",
    group: "Deciding",
    about: "A Redis or Valkey server, so that the whole group fetches each origin once.",
    otherwise: "each process has its own, in memory",
  },
  input: {
    value: "FORMAT",
    group: "Deciding",
    about: "The format of messages, which have one line or several: ndjson, lines, combined …",
    otherwise: "ndjson",
  },
  "url-field": { value: "FIELD", group: "Deciding", about: "The field with the URL.", otherwise: "url" },
  "url-from": {
    value: "key|value",
    group: "Deciding",
    about: "key: the key is the URL; the value passes unchanged, and the answer is a header.",
    otherwise: "value",
  },
  base: { value: "ORIGIN", group: "Deciding", about: "The origin of requests in a log that does not name it." },
  "result-key": { value: "NAME", group: "Deciding", about: "The name of the added member.", otherwise: "robots" },
  "user-agent": { value: "HEADER", group: "Deciding", about: "User-Agent header of requests." },
  "access-policy": {
    value: "NAME",
    group: "Deciding",
    about: `What statuses, failures and outages mean: ${Object.keys(accessPolicies).join(", ")}.`,
    otherwise: "google",
  },
  timeout: {
    value: "SECONDS",
    group: "Deciding",
    about: "Longest time for one origin, redirects included.",
    otherwise: "20",
  },
  concurrency: {
    value: "N",
    group: "Deciding",
    about: "Maximum number of origins fetched at the same time.",
    otherwise: "256",
  },
  "per-address": {
    value: "N",
    group: "Deciding",
    about: "Maximum number of requests to one IP address at the same time.",
    otherwise: "8",
  },
  "allow-private": {
    value: "BLOCKS",
    group: "Deciding",
    about: "Also connect to private addresses in BLOCKS, such as 10.0.0.0/8,127.0.0.1; all for all.",
    otherwise: "origins there are unreachable",
  },
  "max-wait": {
    value: "SECONDS",
    group: "Running",
    about: "A record that waits longer for its robots.txt goes to --later.",
    otherwise: "120",
  },
  ordered: {
    group: "Running",
    about: "Keep the order within each partition; a slow origin then delays its partition.",
  },
  start: {
    value: "earliest|latest",
    group: "Running",
    about:
      "Where reading begins in a partition without a committed offset, or whose committed offset no longer exists.",
    otherwise: "earliest",
  },
  "park-bytes": {
    value: "SIZE",
    group: "Running",
    about: "Maximum bytes of messages in progress; at this limit, reading pauses.",
    otherwise: "64M",
  },
  "max-span": {
    value: "N",
    group: "Running",
    about: "Maximum number of messages of one partition, from the first incomplete message to the last message read.",
    otherwise: "100000",
  },
  "commit-interval": { value: "SECONDS", group: "Running", about: "How often offsets are committed.", otherwise: "1" },
  session: {
    value: "SECONDS",
    group: "Running",
    about: "The group removes a member that sends no heartbeat for this long.",
    otherwise: "45",
  },
  rebalance: {
    value: "SECONDS",
    group: "Running",
    about: "The group waits this long for members that join again; at least --session.",
    otherwise: "60",
  },
  "metadata-interval": {
    value: "SECONDS",
    group: "Running",
    about: "How often the group's leader looks for new partitions.",
    otherwise: "30",
  },
  drain: {
    value: "SECONDS",
    group: "Running",
    about: "Time at the end to complete messages that were already read.",
    otherwise: "10",
  },
  http: {
    value: "[HOST:]PORT",
    group: "Running",
    about: "Serve /livez, /readyz and /metrics.",
    otherwise: "nothing is served",
  },
  "dry-run": {
    group: "Running",
    about:
      "Decide the first messages of each partition (at most 100) and print the rows; join no group, write nothing.",
  },
  help: { group: "Running", about: "Print this." },
  version: { group: "Running", about: "Print the version." },
};

/** The flag for an option of the engine, with or without a value, for messages; undefined for an option that this program does not have. */
export function flagOfOption(option: string, value: string | undefined): string | undefined {
  const name = otherNames.get(option) ?? option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (!Object.hasOwn(flags, name)) return undefined;
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

const otherNames: ReadonlyMap<string, string> = new Map([
  ["agents", "agent"],
  ["inputFormat", "input"],
]);

/** The options of `parseArgs`. */
export function parseOptions(): Record<string, ParseArgsOptionDescriptor> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { value }]) => [
      name,
      { type: value === undefined ? "boolean" : "string", multiple: true, ...(name === "help" ? { short: "h" } : {}) },
    ]),
  );
}

export function renderHelp(): string {
  const groups = ["Topics", "Brokers", "Deciding", "Running"] as const;
  const entries = Object.entries(flags);
  const rows = groups.map((group) => {
    const own = entries.filter(([, flag]) => flag.group === group);
    const lines = own.map(([name, { value, about, otherwise }]) => {
      const left = `  --${name}${value === undefined ? "" : ` ${value}`}`;
      return `${left.padEnd(28)} ${about}${otherwise === undefined ? "" : ` Default: ${otherwise}.`}`;
    });
    return `${group}\n${lines.join("\n")}`;
  });
  return `robots-stream-kafka: may this crawler fetch each URL of a topic, and which robots.txt line says so?

Usage
  robots-stream-kafka --brokers HOST:PORT --group NAME --from TOPIC --to TOPIC --agent NAME [flags]

Each message has one record, or one record per line; its output has the same key, timestamp and headers. Delivery is at least once: after a crash, messages above the last committed offsets are decided again. SIGTERM and Ctrl-C stop the process cleanly.

${rows.join("\n\n")}

Exit codes
  0    ended by a signal; the output of all messages read is written and committed
  2    wrong usage: flags, a missing topic, refused authentication, a missing snapshot
  3    deciding or writing failed for good
  4    ended before all messages read were finished (--drain); the others will be read again
`;
}
