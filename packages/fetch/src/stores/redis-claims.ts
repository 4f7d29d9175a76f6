// Implements claims on origins in Redis: keys that their holder renews, and that expire when the holder is dead.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Claim } from "../common/types.ts";

export interface ClaimParts {
  readonly command: (...parts: readonly string[]) => Promise<unknown>;
  /** Time after which a claim expires unless its holder renews it. */
  readonly claimMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly elapsed?: () => number;
}

/** The claims of one process. */
export interface Claims {
  /**
   * Waits until no other process holds `key`, then claims it. If the key remains although its holder is dead, resolves with a claim that
   * holds no key. Rejects when `signal` aborts, and with the errors of `command`.
   */
  take(key: string, signal: AbortSignal): Promise<Claim>;
  /** Drops all claims and stops renewing them. Returns the commands that release them. */
  end(): readonly (readonly string[])[];
}

/** Scripts that release or renew a key only while the key still has this process's value. */
const releaseScript = "if redis.pcall('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";
const renewScript =
  "if redis.pcall('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0";

/** Pauses between two attempts to take a claim grow up to this length. Each pause is made up to half shorter or longer, at random. */
const maxPauseMs = 250;

/**
 * `take` returns this claim when the holder of a key is dead and the key remains. This claim holds no key, so it blocks no other process.
 */
const none: Claim = Object.freeze({ release: () => undefined });

/** Creates claims. Processes that share a server must have the same `claimMs`. */
export function createClaims({ command, claimMs, elapsed = () => performance.now() }: ClaimParts): Claims {
  const token = randomUUID();
  const held = new Set<string>();
  let renewing: NodeJS.Timeout | undefined;

  const releaseOf = (key: string): readonly string[] => ["EVAL", releaseScript, "1", key, token];

  /** One timer for all claims of this process. */
  function renewAll(): void {
    for (const key of held) {
      // No caller awaits the renewal. When it fails, the next command for the claim fails too, and the caller of that command gets the
      // error.
      command("EVAL", renewScript, "1", key, token, String(claimMs)).catch(() => undefined);
    }
  }

  async function release(key: string): Promise<void> {
    held.delete(key);
    if (held.size === 0) stopRenewing();
    await command(...releaseOf(key));
  }

  function stopRenewing(): void {
    clearInterval(renewing);
    renewing = undefined;
  }

  return {
    async take(key, signal) {
      const isAlive = watchHolder(claimMs, elapsed);
      for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
        signal.throwIfAborted();
        if ((await command("SET", key, token, "NX", "PX", String(claimMs))) !== null) break;
        if (!isAlive(Number(await command("PTTL", key)))) return none;
        await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => signal.throwIfAborted());
      }
      held.add(key);
      renewing ??= setInterval(renewAll, Math.max(1, Math.floor(claimMs / 3))).unref();
      return { release: async () => release(key) };
    },
    end() {
      const releases = [...held].map(releaseOf);
      held.clear();
      stopRenewing();
      return releases;
    },
  };
}

/**
 * Returns a function for one waiting `take`. The function takes the reply to each PTTL, the milliseconds until the claim expires, and
 * returns whether the claim has a living holder. A living holder renews its claim long before it expires. So a key that never expires is
 * not a claim, and a key that was not renewed for `claimMs` has no living holder.
 */
function watchHolder(claimMs: number, elapsed: () => number): (leftMs: number) => boolean {
  let expiresAt = -Infinity;
  let seenAt = 0;
  return (leftMs) => {
    // -1: the key never expires. -2: the key no longer exists.
    if (leftMs === -1) return false;
    const now = elapsed();
    // After a slow reply, the claim seems to expire slightly later; after a renewal, it expires much later.
    if (leftMs === -2 || now + leftMs > expiresAt + claimMs / 10) {
      expiresAt = leftMs === -2 ? -Infinity : now + leftMs;
      seenAt = now;
      return true;
    }
    return now - seenAt < claimMs;
  };
}
