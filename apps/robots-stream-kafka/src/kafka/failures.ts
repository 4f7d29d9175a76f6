// Classifies errors of the client library, and describes an error in one sentence.
import { findErrorBy, GenericError, MultipleErrors } from "@platformatic/kafka";

/** A failure that a retry cannot repair: refused authentication, a missing topic, wrong settings. */
export class SetupError extends Error {
  readonly code = "ERR_KAFKA_SETUP";
}

/** Whether an error, or an error that it wraps, has a property with this value. */
function has(error: unknown, property: string, value: unknown): boolean {
  return error instanceof Error && Boolean(findErrorBy(error, property, value));
}

/** Whether an error is Kafka's error with this name, such as "MESSAGE_TOO_LARGE". */
export function isApi(error: unknown, id: string): boolean {
  return has(error, "apiId", id);
}

/** Whether the error requires joining the group again. */
export function needsRejoin(error: unknown): boolean {
  return has(error, "needsRejoin", true);
}

/** Whether the brokers refused the authentication or a permission, so that retrying is useless. */
export function isRefusal(error: unknown): boolean {
  const refusals = [
    "TOPIC_AUTHORIZATION_FAILED",
    "GROUP_AUTHORIZATION_FAILED",
    "CLUSTER_AUTHORIZATION_FAILED",
    "SASL_AUTHENTICATION_FAILED",
    "UNSUPPORTED_SASL_MECHANISM",
  ];
  return has(error, "code", "PLT_KFK_AUTHENTICATION") || refusals.some((id) => isApi(error, id));
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
