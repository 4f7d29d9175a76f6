// Checks the topics before the group is joined, and classifies the errors of the client library.
import {
  Admin,
  ConfigResourceTypes,
  type ConsumerOptions,
  findErrorBy,
  GenericError,
  MultipleErrors,
} from "@platformatic/kafka";
import { UsageError } from "@robots-stream/engine";

/** The names of the supported SASL mechanisms. */
export const saslMechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const;

/** Options of a client that does not retry by itself: this app decides which requests to retry, and when. */
export type ClientOptions = Pick<
  ConsumerOptions<Buffer, Buffer, Buffer, Buffer>,
  "clientId" | "retries" | "connectTimeout" | "requestTimeout" | "tls" | "sasl"
> & { readonly bootstrapBrokers: string[] };

/**
 * Checks that the topics exist; resolves to the maximum size of one batch of messages of each topic in `outputs`, in bytes. Topics whose
 * configuration the client may not read are absent. Rejects with a `UsageError`.
 */
export async function limitsOf(
  options: ClientOptions,
  input: string,
  outputs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const admin = new Admin({ ...options, requestTimeout: 15_000 });
  const limits = new Map<string, number>();
  try {
    for (const topic of [input, ...outputs]) {
      await admin.metadata({ topics: [topic] }).catch((error: unknown) => {
        if (isApi(error, "UNKNOWN_TOPIC_OR_PARTITION") || (error as Error).message.startsWith("Unknown topic "))
          throw unusable(`the topic ${topic} does not exist`);
        throw error;
      });
    }
    if (outputs.length === 0) return limits;
    const resources = outputs.map((resourceName) => ({
      resourceType: ConfigResourceTypes.TOPIC,
      resourceName,
      configurationKeys: ["max.message.bytes"],
    }));
    const described = await admin.describeConfigs({ resources }).catch((error: unknown) => {
      // A client may be permitted to write to a topic, but not to read its configuration.
      if (isRefusal(error)) return [];
      throw error;
    });
    for (const { resourceName, configs } of described) {
      const value = Number(configs.find(({ name }) => name === "max.message.bytes")?.value);
      if (Number.isSafeInteger(value)) limits.set(resourceName, value);
    }
    return limits;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw unusable(`brokers ${options.bootstrapBrokers.join(",")}: ${sentenceOf(error)}`);
  } finally {
    await admin.close().catch(() => undefined);
  }
}

/** The error for what a retry cannot repair: refused authentication, a missing topic, wrong settings. */
export function unusable(sentence: string): UsageError {
  return new UsageError("unusable-input", sentence);
}

/** Whether an error, or an error that it wraps, has a property with this value. */
export function has(error: unknown, property: string, value: unknown): boolean {
  return error instanceof Error && Boolean(findErrorBy(error, property, value));
}

/** Whether an error is Kafka's error with one of these names, such as "MESSAGE_TOO_LARGE". */
export function isApi(error: unknown, ...ids: readonly string[]): boolean {
  return ids.some((id) => has(error, "apiId", id));
}

/** Whether the brokers refused the authentication or a permission, so that retrying is useless. */
export function isRefusal(error: unknown): boolean {
  return (
    has(error, "code", "PLT_KFK_AUTHENTICATION") ||
    isApi(error, "TOPIC_AUTHORIZATION_FAILED", "GROUP_AUTHORIZATION_FAILED", "CLUSTER_AUTHORIZATION_FAILED") ||
    isApi(error, "SASL_AUTHENTICATION_FAILED", "UNSUPPORTED_SASL_MECHANISM")
  );
}

/** The messages of an error and of its causes, at most four, in one sentence of at most 400 characters without control characters. */
export function sentenceOf(error: unknown): string {
  const parts: string[] = [];
  const add = (each: unknown, depth: number): void => {
    if (!(each instanceof Error) || depth > 5) return;
    const text = "apiId" in each && typeof each.apiId === "string" ? `${each.apiId}: ${each.message}` : each.message;
    if (text !== "" && !parts.includes(text)) parts.push(text);
    if (each instanceof MultipleErrors || each instanceof AggregateError)
      for (const inner of each.errors as unknown[]) add(inner, depth + 1);
    if (each instanceof GenericError || each.cause !== undefined) add(each.cause, depth + 1);
  };
  add(error, 0);
  const text = parts.length === 0 ? String(error) : parts.slice(0, 4).join("; ");
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").slice(0, 400);
}
