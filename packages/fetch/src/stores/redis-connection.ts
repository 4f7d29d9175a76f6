// A Redis URL → a connection that answers commands within a time, or rejects with a StoreError that tells no password.
import { codeOf } from "../failures.ts";
import { StoreError } from "./errors.ts";

/** One connection. */
export interface RedisConnection {
  /** Sends a command, strings and bytes; bulk strings come back as Buffers. Rejects with a `StoreError`. */
  command(parts: readonly (string | Buffer)[]): Promise<unknown>;
  close(): Promise<void>;
}

/** Tries to get back to a server that went away, with a pause before each; commands wait meanwhile, within their time. */
const reconnectPausesMs: readonly number[] = [50, 100, 200, 400, 800];

/** Errors of the package by which commands end whose answer was still to come. */
const lossNames: ReadonlySet<string> = new Set(["SocketClosedUnexpectedlyError", "DisconnectsClientError"]);
const lossCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

/** Connects. Rejects with a `StoreError` when the package, or the server, is not there. */
export async function connectRedis(url: string, timeoutMs: number): Promise<RedisConnection> {
  const { make, buffers } = await loadClient();
  const client = make({
    url,
    RESP: 2,
    disableClientInfo: true,
    commandOptions: { typeMapping: buffers },
    socket: {
      connectTimeout: timeoutMs,
      reconnectStrategy: (retries: number, cause: Error) => reconnectPausesMs[retries] ?? cause,
    },
  });
  // Each command that fails tells of it; unheard "error" events would end the process.
  client.on("error", () => undefined);
  const within = async <T>(work: Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new StoreError("ERR_STORE_UNREACHABLE", "no answer in time")), timeoutMs);
    });
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      throw error instanceof StoreError ? error : unreachable(error);
    } finally {
      clearTimeout(timer);
    }
  };
  const send = async (parts: readonly (string | Buffer)[]): Promise<unknown> => {
    try {
      return await client.sendCommand(parts);
    } catch (error) {
      // The connection went, and a new one is being made. Every command here may be done twice.
      if (error instanceof Error && (lossNames.has(error.constructor.name) || lossCodes.has(codeOf(error)))) {
        return client.sendCommand(parts);
      }
      throw error;
    }
  };
  try {
    await within(client.connect());
  } catch (error) {
    client.destroy();
    throw error;
  }
  return {
    command: async (parts) => within(send(parts)),
    async close() {
      try {
        await within(client.close());
      } catch {
        client.destroy();
      }
    },
  };
}

/** What is used of the package. */
interface RedisClient {
  on(name: "error", hear: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  sendCommand(parts: readonly (string | Buffer)[]): Promise<unknown>;
  close(): Promise<unknown>;
  destroy(): void;
}

async function loadClient(): Promise<{ make: (options: object) => RedisClient; buffers: object }> {
  try {
    const { createClient: create, RESP_TYPES } = await import("@redis/client");
    return {
      // Its own type says all that the server can do; here a few words are enough.
      make: (options) => create(options),
      buffers: { [RESP_TYPES.BLOB_STRING]: Buffer },
    };
  } catch (error) {
    throw new StoreError("ERR_STORE_UNREACHABLE", "the package @redis/client is not installed", { cause: error });
  }
}

/**
 * The server's word or the system's, never the URL: a server's answer may hold what was sent, so of it only the first
 * word is told, which is its error code. The error itself is left out for the same reason.
 */
function unreachable(error: unknown): StoreError {
  const first = firstOf(error);
  const { code, message } = first as { readonly code?: unknown; readonly message?: unknown };
  const word = typeof code === "string" ? code : /^[A-Z]{3,20}\b/.exec(String(message))?.[0];
  const name = first instanceof Error ? first.constructor.name : "an error";
  return new StoreError("ERR_STORE_UNREACHABLE", `the server said, or the connection ended with: ${word ?? name}`);
}

/** The error behind others: behind giving up, behind trying several addresses. */
function firstOf(error: unknown): unknown {
  if (error instanceof AggregateError) return firstOf(error.errors[0]);
  const { socketError } = error as { readonly socketError?: unknown };
  return socketError === undefined ? error : firstOf(socketError);
}
