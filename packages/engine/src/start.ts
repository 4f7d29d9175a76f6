// The part of the engine that a process needs before it loads the rest: error messages for bugs and shortages, and stdin.
export { bugTextOf, shortageOf } from "./errors.ts";
export type { InputStream } from "./records/batch.ts";
export { DirectInput } from "./sources/direct.ts";
export { PipeInput } from "./sources/pipe.ts";
