// The exports of the engine that a process needs before it loads the rest: the messages for bugs and shortages, and the input from stdin.
export { bugTextOf, shortageOf } from "./common/errors.ts";
export type { InputStream } from "./records/batch.ts";
export { DirectInput } from "./sources/direct.ts";
export { PipeInput } from "./sources/direct.ts";
