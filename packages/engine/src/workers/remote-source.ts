// An origin in, what the main thread found out about it out: so that each origin is asked by one thread, once.
import { constantOf, robotsOf } from "../robots/parsed.ts";
import type { RobotsSource, SourcedRobots } from "../robots/types.ts";
import type { LoadedOrigin } from "./messages.ts";

/** Asks the main thread. */
export class RemoteSource implements RobotsSource {
  readonly isRemote = true;
  readonly #ask: (origin: string) => void;
  readonly #waiting = new Map<string, (robots: SourcedRobots) => void>();

  constructor(ask: (origin: string) => void) {
    this.#ask = ask;
  }

  /** A load that the signal ends never settles: the run is over then. */
  load(origin: string): Promise<SourcedRobots> {
    this.#ask(origin);
    return new Promise((resolve) => this.#waiting.set(origin, resolve));
  }

  /** Takes an answer. */
  settle({ origin, access, code, body }: LoadedOrigin): void {
    this.#waiting.get(origin)?.(body === undefined ? constantOf(access, code) : robotsOf(body, code));
    this.#waiting.delete(origin);
  }

  close(): void {
    this.#waiting.clear();
  }
}
