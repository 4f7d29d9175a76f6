// What a process uses of the engine before it loads the rest: how bugs and shortages are told, and stdin.
export { bugTextOf, shortageOf } from "./errors.ts";
export type { InputStream } from "./records/batch.ts";
export { DirectInput } from "./sources/direct.ts";
export { PipeInput } from "./sources/pipe.ts";
