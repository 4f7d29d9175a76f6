// Runs a program with arguments and returns its exit code. Forwards signals to the program.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const windows = process.platform === "win32";

/** An error whose cause lies outside this program. Its message is shown without a stack. */
export class Failure extends Error {}

/** The absolute path of a path inside the checkout. */
export function pathOf(relative) {
  return join(root, relative);
}

/** Prints one line on stderr. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** The environment of child processes, with the folder of this Node first on the PATH. */
function environment(extra) {
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ""}`;
  return { ...process.env, ...(windows ? { Path: path } : {}), PATH: path, ...extra };
}

/**
 * Whether Ctrl-C on the terminal has just caused a SIGINT. The child is in the same process group and gets that signal directly, so
 * forwarding would deliver it twice.
 */
function isForeground() {
  if (windows) return true;
  try {
    // proc(5): pid (comm) state ppid pgrp session tty_nr tpgid …
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /su, "")
      .split(" ");
    return fields[2] === fields[5];
  } catch {
    return process.stdin.isTTY;
  }
}

/**
 * Runs a program to its end. Resolves to its exit code, or 128 plus the number of the signal that ended it. `quiet`: the program has
 * no stdin, and its stdout goes to stderr. Throws a Failure if the program cannot be started.
 */
export function run(program, args, { quiet = false, env = {}, cwd, shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      shell,
      env: environment(env),
      stdio: quiet ? ["ignore", process.stderr.fd, process.stderr.fd] : "inherit",
    });
    const forward = (signal) => {
      if (signal !== "SIGINT" || !isForeground()) child.kill(signal);
    };
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.on(signal, forward);
    const settle = (end) => {
      for (const signal of signals) process.off(signal, forward);
      end();
    };
    child.once("error", (error) => settle(() => reject(new Failure(`cannot start ${program}: ${error.message}`))));
    child.once("close", (code, signal) => settle(() => resolve(code ?? 128 + (constants.signals[signal] ?? 0))));
  });
}

/** Runs a JavaScript or TypeScript file on this Node, in the checkout's top folder. */
export function runNode(file, args, { flags = [], ...options } = {}) {
  return run(process.execPath, [...flags, file, ...args], { cwd: root, ...options });
}

/** Runs the npx of the machine's npm. */
function runNpx(args, options) {
  return run("npx", ["--yes", ...args], { cwd: root, shell: windows, ...options });
}

/** Runs the pinned pnpm (package.json's packageManager) in the checkout's top folder. */
export function runPnpm(args, { env = {}, ...options } = {}) {
  const { packageManager } = JSON.parse(readFileSync(pathOf("package.json"), "utf8"));
  // The alias gives this pnpm its own entry in npx's cache. npm 12 runs install scripts only for packages that are allowed by name.
  return runNpx(["--prefer-offline", `--package=pnpm@npm:${packageManager}`, "--", "pnpm", ...args], {
    ...options,
    env: { npm_config_allow_scripts: "pnpm", ...env },
  });
}
