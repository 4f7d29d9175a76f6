// Converts the settings of the connection to the brokers to the options of every Kafka client of this app.
import type { ConsumerOptions, SASLOptions } from "@platformatic/kafka";

/** How to reach the brokers. */
export interface ConnectionSettings {
  /** Host names and ports of some brokers, such as "host:9092". */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /**
   * The TLS settings, as PEM; without them, no TLS is used. `ca` has the trusted certificates (default: Node's); `cert` and `key` are the
   * client's own certificate and key.
   */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string } | undefined;
  readonly sasl?: SaslSettings | undefined;
}

/** SASL credentials. */
export interface SaslSettings {
  readonly mechanism: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512";
  readonly username: string;
  readonly password: string;
}

/** The names of the supported SASL mechanisms. */
export const saslMechanisms: readonly SaslSettings["mechanism"][] = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"];

/** Options of a client that does not retry by itself: this app decides which requests to retry, and when. */
export type ClientOptions = Pick<
  ConsumerOptions<Buffer, Buffer, Buffer, Buffer>,
  "clientId" | "bootstrapBrokers" | "retries" | "connectTimeout" | "requestTimeout" | "tls" | "sasl"
>;

/** Makes the options; `requestMs` is the longest time that a broker may take to respond. */
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
