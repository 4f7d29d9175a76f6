// Requests of a worker in, the main thread's answers out, so that each origin is requested once, by one thread.
import { constantOf, robotsOf } from "../robots/parsed.ts";
import type { RobotsSource, SourcedRobots } from "../robots/types.ts";
import type { LoadedOrigin } from "./messages.ts";

/** Sends the requests to the main thread. */
export class RemoteSource implements RobotsSource {
  readonly isRemote = true;
  readonly #ask: (origin: string) => void;
  readonly #waiting = new Map<string, (robots: SourcedRobots) => void>();

  constructor(ask: (origin: string) => void) {
    this.#ask = ask;
  }

  /** A load whose signal aborts never settles: the run has ended by then. */
  load(origin: string): Promise<SourcedRobots> {
    this.#ask(origin);
    return new Promise((resolve) => this.#waiting.set(origin, resolve));
  }

  /** Resolves the load that the answer is for. */
  settle({ origin, access, code, body, freshUntil }: LoadedOrigin): void {
    const robots = body === undefined ? constantOf(access, code) : robotsOf(body, code);
    this.#waiting.get(origin)?.({ ...robots, freshUntil });
    this.#waiting.delete(origin);
  }

  close(): void {
    this.#waiting.clear();
  }
}
