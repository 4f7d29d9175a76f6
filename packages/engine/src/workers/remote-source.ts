// Requests the robots.txt of the origins that a worker needs from the main thread, which loads each origin once for all workers.
import { constantOf, robotsOf } from "../robots/parsed.ts";
import type { RobotsSource, SourcedRobots } from "../robots/types.ts";
import type { LoadedOrigin } from "./messages.ts";

/** A source whose loads are requests to the main thread. */
export class RemoteSource implements RobotsSource {
  readonly isRemote = true;
  readonly #ask: (origin: string) => void;
  readonly #waiting = new Map<string, (robots: SourcedRobots) => void>();

  constructor(ask: (origin: string) => void) {
    this.#ask = ask;
  }

  /**
   * Resolves when `settle` is called for the origin. Ignores the abort signal of `RobotsSource.load`: that signal aborts only
   * after the run has ended, when no code awaits this promise.
   */
  load(origin: string): Promise<SourcedRobots> {
    this.#ask(origin);
    return new Promise((resolve) => this.#waiting.set(origin, resolve));
  }

  /** Resolves the load of an origin with the result from the main thread. */
  settle({ origin, access, code, body, freshUntil }: LoadedOrigin): void {
    const robots = body === undefined ? constantOf(access, code) : robotsOf(body, code);
    this.#waiting.get(origin)?.({ ...robots, freshUntil });
    this.#waiting.delete(origin);
  }

  close(): void {
    this.#waiting.clear();
  }
}
