// Connects to a Redis server. Commands have a timeout and reject with a StoreError that contains no password.
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../common/failures.ts";
import { StoreError, type StoreErrorCode } from "../common/errors.ts";

/** An error reply of the server: `word` is its first word, the error code. */
export class RedisReplyError extends StoreError {
  readonly word: string;

  constructor(word: string) {
    super(replyCodes.get(word) ?? "ERR_STORE_UNREACHABLE", `the server said: ${word}`);
    this.word = word;
  }
}

/**
 * Store error codes by the error code of a server that refuses a write: it is out of memory, is a replica, cannot save to disk, lacks
 * replicas, or its ACL forbids the command.
 */
const replyCodes: ReadonlyMap<string, StoreErrorCode> = new Map([
  ["OOM", "ERR_STORE_FULL"],
  ["READONLY", "ERR_STORE_ACCESS"],
  ["MISCONF", "ERR_STORE_ACCESS"],
  ["NOREPLICAS", "ERR_STORE_ACCESS"],
  ["NOPERM", "ERR_STORE_ACCESS"],
]);

/** Pause before a command is repeated on a server that is still loading its data. The timeout of the command limits the wait. */
const loadingPauseMs = 100;

export interface RedisConnection {
  /** Sends a command; its parts are strings and bytes. Bulk strings in the reply are Buffers. Rejects with a `StoreError`. */
  command(parts: readonly (string | Buffer)[]): Promise<unknown>;
  close(): Promise<void>;
}

/** The pause before each attempt to reconnect. During a pause, commands wait up to their timeout. */
const reconnectPausesMs: readonly number[] = [50, 100, 200, 400, 800];

/** Errors of @redis/client for commands whose reply was pending when the connection was lost. */
const lossNames: ReadonlySet<string> = new Set(["SocketClosedUnexpectedlyError", "DisconnectsClientError"]);
const lossCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

function isLoss(error: unknown): boolean {
  return error instanceof Error && (lossNames.has(error.constructor.name) || lossCodes.has(codeOf(error)));
}

class LateError extends StoreError {
  constructor() {
    super("ERR_STORE_UNREACHABLE", "no answer in time");
  }
}

/**
 * Connects. Rejects with a `StoreError` when @redis/client is not installed or the server does not answer. After a command's timeout,
 * the client is destroyed and the next command creates another one: otherwise replies after the timeout would fill the memory.
 */
export async function connectRedis(url: string, timeoutMs: number): Promise<RedisConnection> {
  const within = async <T>(work: Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new LateError()), timeoutMs);
    });
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      throw error instanceof StoreError ? error : unreachable(error);
    } finally {
      clearTimeout(timer);
    }
  };
  const openClient = async (): Promise<RedisClient> => {
    const client = await createClient(url, timeoutMs);
    try {
      await within(client.connect());
      return client;
    } catch (error) {
      client.destroy();
      throw error;
    }
  };
  let opened: Promise<RedisClient> | undefined = openClient();
  await opened;

  const command = async (parts: readonly (string | Buffer)[]): Promise<unknown> => {
    const opening = (opened ??= openClient());
    const forget = (): void => {
      if (opened === opening) opened = undefined;
    };
    const client = await opening.catch((error: unknown) => {
      forget();
      throw error;
    });
    try {
      return await within(send(client, parts, timeoutMs));
    } catch (error) {
      if (error instanceof LateError) {
        forget();
        client.destroy();
      }
      throw error;
    }
  };
  return {
    command,
    async close() {
      const client = await opened?.catch(() => undefined);
      try {
        if (client !== undefined) await within(client.close());
      } catch {
        client?.destroy();
      }
    },
  };
}

async function createClient(url: string, timeoutMs: number): Promise<RedisClient> {
  const library = await import("@redis/client").catch((error: unknown) => {
    throw new StoreError("ERR_STORE_UNREACHABLE", "the package @redis/client is not installed", { cause: error });
  });
  // `RedisClient` replaces the package's own type, which lists every command of the server. Bulk strings are returned as Buffers.
  const client: RedisClient = library.createClient({
    url,
    RESP: 2,
    disableClientInfo: true,
    commandOptions: { typeMapping: { [library.RESP_TYPES.BLOB_STRING]: Buffer } },
    socket: {
      connectTimeout: timeoutMs,
      reconnectStrategy: (retries: number, cause: Error) => reconnectPausesMs[retries] ?? cause,
    },
  });
  // Each failed command reports the error itself; unhandled "error" events would end the process.
  client.on("error", () => undefined);
  return client;
}

/** Sends a command. Repeats the command once when the connection was lost, and repeatedly while the server loads its data. */
async function send(client: RedisClient, parts: readonly (string | Buffer)[], timeoutMs: number): Promise<unknown> {
  const giveUpAt = performance.now() + timeoutMs;
  for (let isLost = false; ;) {
    try {
      return await client.sendCommand(parts);
    } catch (error) {
      if (replyWordOf(error) === "LOADING" && performance.now() < giveUpAt) await sleep(loadingPauseMs);
      // The connection was lost, and a new one is being made. The command is sent again: executing a command of this package twice does no
      // harm.
      else if (!isLost && isLoss(error)) isLost = true;
      else throw error;
    }
  }
}

/** The part of the interface of @redis/client that is used. */
interface RedisClient {
  on(name: "error", hear: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  sendCommand(parts: readonly (string | Buffer)[]): Promise<unknown>;
  close(): Promise<unknown>;
  destroy(): void;
}

/** The first word of a server's error, which is its code; undefined for other errors. */
function replyWordOf(error: unknown): string | undefined {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return typeof code === "string" ? undefined : /^[A-Z]{3,20}\b/.exec(String(message))?.[0];
}

/**
 * Makes a `StoreError` with the error code of the server or the system, never with the URL. A server's message may quote the command, so
 * only its first word is used, and the original error is not attached as the cause.
 */
function unreachable(error: unknown): StoreError {
  const first = firstOf(error);
  const word = replyWordOf(first);
  if (word !== undefined) return new RedisReplyError(word);
  const name = codeOf(first) || (first instanceof Error ? first.constructor.name : "an error");
  return new StoreError("ERR_STORE_UNREACHABLE", `the connection ended with: ${name}`);
}

/** The root cause of an error: unwraps the errors for a failed reconnection and for several addresses. */
function firstOf(error: unknown): unknown {
  if (error instanceof AggregateError) return firstOf(error.errors[0]);
  const { socketError } = error as { readonly socketError?: unknown };
  return socketError === undefined ? error : firstOf(socketError);
}
