// Defines the interface through which the readers of a response (strict.ts, lenient.ts) report to the hop that owns the connection.

/** Flow control of a body. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** Receives the parts of a response in this order: start, data, end. `fail` may be called at any time. */
export interface HopHandler {
  /** Header names are in lower case. */
  onResponseStart(flow: Flow, status: number, headers: Readonly<Record<string, string>>): void;
  onResponseData(chunk: Uint8Array): void;
  onResponseEnd(): void;
  /** Called when no response arrives, when the response is invalid or ambiguous, and when the response ends too early. */
  fail(error: unknown): void;
}
