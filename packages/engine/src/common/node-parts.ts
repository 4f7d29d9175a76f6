// Node modules that few runs need, loaded on first use: loading crypto takes as long as deciding ten thousand records.
import type crypto from "node:crypto";
import type net from "node:net";
import type perfHooks from "node:perf_hooks";
import type zlib from "node:zlib";

export function nodeCrypto(): typeof crypto {
  return process.getBuiltinModule("node:crypto");
}

export function nodeNet(): typeof net {
  return process.getBuiltinModule("node:net");
}

export function nodePerfHooks(): typeof perfHooks {
  return process.getBuiltinModule("node:perf_hooks");
}

export function nodeZlib(): typeof zlib {
  return process.getBuiltinModule("node:zlib");
}
