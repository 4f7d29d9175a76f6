// The flags about brokers in, the options of every client of the library out.
import type { ConsumerOptions, SASLOptions } from "@platformatic/kafka";

/** How brokers are reached. */
export interface ConnectionSettings {
  /** Names and ports of some brokers: "host:9092". */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** TLS with these certificates (PEM) as trusted; undefined: no TLS; an empty object: the system's. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string } | undefined;
  readonly sasl?: SaslSettings | undefined;
}

/** Credentials. */
export interface SaslSettings {
  readonly mechanism: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512";
  readonly username: string;
  readonly password: string;
}

/** The names of the mechanisms. */
export const saslMechanisms: readonly SaslSettings["mechanism"][] = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"];

/** Options of a client that repeats nothing by itself: what is repeated, and when, is decided here. */
export type ClientOptions = Pick<
  ConsumerOptions<Buffer, Buffer, Buffer, Buffer>,
  "clientId" | "bootstrapBrokers" | "retries" | "connectTimeout" | "requestTimeout" | "tls" | "sasl"
>;

/** Makes them; `requestMs` is the longest time that a broker may take for an answer. */
export function clientOptionsOf(
  { brokers, clientId, tls, sasl }: ConnectionSettings,
  requestMs: number,
): ClientOptions {
  return {
    clientId,
    bootstrapBrokers: [...brokers],
    retries: 0,
    connectTimeout: 5_000,
    requestTimeout: requestMs,
    ...(tls === undefined ? {} : { tls }),
    ...(sasl === undefined ? {} : { sasl: sasl satisfies SASLOptions }),
  };
}
