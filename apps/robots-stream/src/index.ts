// Re-exports the engine's API as the public API of the package. The command's entry point is cli.ts.
export * from "@robots-stream/engine";
