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

interface Place {
  count: number;
  /** Keeps the order, and gives up who leaves in constant time. */
  readonly waiting: Set<(turn: Turn) => void>;
}

/** Makes turns; whoever shall wait for one another takes them from the same. */
export function createTurns(): Turns {
  const places = new Map<string, Place>();

  function turnAt(name: string, place: Place): Turn {
    let hasEnded = false;
    return {
      end() {
        if (hasEnded) return;
        hasEnded = true;
        for (const next of place.waiting) {
          place.waiting.delete(next);
          next(turnAt(name, place)); // The turn passes on: `count` stays.
          return;
        }
        place.count--;
        if (place.count === 0) places.delete(name);
      },
    };
  }

  return {
    take(name, max, signal) {
      let place = places.get(name);
      if (place === undefined) places.set(name, (place = { count: 0, waiting: new Set() }));
      if (place.count < max) {
        place.count++;
        return turnAt(name, place);
      }
      const { waiting } = place;
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
        signal.addEventListener("abort", onAbort, { once: true });
        if (signal.aborted) onAbort();
      });
    },
    isAwaited: (name) => (places.get(name)?.waiting.size ?? 0) > 0,
    get places() {
      return places.size;
    },
  };
}
