// Places that take only so many at a time (an origin, an address) → turns at them, first come first served.

/** The right to be at a place until `end`, which does nothing the second time. */
export interface Turn {
  end(): void;
}

/** Gives turns at places, which are there while somebody is at them. */
export interface Turns {
  /**
   * A turn at once where fewer than `max` are at `place`, else a promise of one, rejected with the signal's reason when it
   * aborts.
   */
  take(place: string, max: number, signal: AbortSignal): Turn | Promise<Turn>;
  /** Whether somebody waits for a turn at `place`. */
  isAwaited(place: string): boolean;
  /** Places where somebody is. */
  readonly places: number;
}

/** A place; who waits there leaves in constant time, and comes in order. */
class Place {
  readonly name: string;
  readonly places: Map<string, Place>;
  count = 0;
  waiting: Set<(turn: Turn) => void> | undefined;

  constructor(name: string, places: Map<string, Place>) {
    this.name = name;
    this.places = places;
  }
}

class TurnAt implements Turn {
  #place: Place | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  end(): void {
    const place = this.#place;
    if (place === undefined) return;
    this.#place = undefined;
    for (const next of place.waiting ?? []) {
      place.waiting?.delete(next);
      next(new TurnAt(place)); // The turn passes on: `count` stays.
      return;
    }
    place.count--;
    if (place.count === 0) place.places.delete(place.name);
  }
}

/** Makes turns; whoever shall wait for one another takes them from the same. */
export function createTurns(): Turns {
  const places = new Map<string, Place>();

  return {
    take(name, max, signal) {
      let place = places.get(name);
      if (place === undefined) places.set(name, (place = new Place(name, places)));
      if (place.count < max) {
        place.count++;
        return new TurnAt(place);
      }
      const waiting = (place.waiting ??= new Set());
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiting.delete(next);
          reject(signal.reason);
        };
        const next = (turn: Turn): void => {
          signal.removeEventListener("abort", onAbort);
          resolve(turn);
        };
        waiting.add(next);
        signal.addEventListener("abort", onAbort);
        if (signal.aborted) onAbort();
      });
    },
    isAwaited: (name) => (places.get(name)?.waiting?.size ?? 0) > 0,
    get places() {
      return places.size;
    },
  };
}
