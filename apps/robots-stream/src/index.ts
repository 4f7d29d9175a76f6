// The public API of the package: it re-exports the engine's API. The command's entry point is cli.ts.
export * from "@robots-stream/engine";
