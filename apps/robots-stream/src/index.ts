// The public names of the package, for programs: those of the engine. The command is cli.ts.
export * from "@robots-stream/engine";
