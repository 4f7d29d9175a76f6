// What the readers of a response (strict.ts, lenient.ts) report to the hop that owns the connection.

/** Flow control of a body. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** Hears the response, in this order: start, data, end; or `fail` at any time. */
export interface HopHandler {
  /** Names of fields are in lower case. */
  onResponseStart(flow: Flow, status: number, headers: Readonly<Record<string, string>>): void;
  onResponseData(chunk: Uint8Array): void;
  onResponseEnd(): void;
  /** There is no response, or it breaks off. */
  fail(error: unknown): void;
}
