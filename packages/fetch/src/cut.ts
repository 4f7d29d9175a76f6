// What ends work that goes on: the part of an AbortSignal that is used here, and one that costs a tenth of it. A fetch has several.

/** What an `AbortSignal` is, too. */
export interface EndSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A signal and its controller in one. */
export class Cut implements EndSignal {
  aborted = false;
  reason: unknown = undefined;
  #listeners: (() => void)[] | undefined;
  #outside: AbortController | undefined;

  /** The first call counts. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
    this.#outside?.abort(reason);
  }

  /** Each listener is called once at most. */
  addEventListener(_type: "abort", listener: () => void): void {
    if (this.aborted) return;
    if (this.#listeners === undefined) this.#listeners = [listener];
    else this.#listeners.push(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const at = this.#listeners?.indexOf(listener) ?? -1;
    if (at !== -1) this.#listeners?.splice(at, 1);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /** The same for whoever wants the real thing. */
  get signal(): AbortSignal {
    if (this.#outside === undefined) {
      this.#outside = new AbortController();
      if (this.aborted) this.#outside.abort(this.reason);
    }
    return this.#outside.signal;
  }
}
