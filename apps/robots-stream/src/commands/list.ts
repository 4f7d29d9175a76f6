// Lists the commands that have a name, in the order of the main help. A file that is named like a command, such as explain, must be given
// as "./explain".
import type { Command } from "../cli/command.ts";

export const commands: readonly Command[] = [
  {
    name: "explain",
    args: "URL … --agent TOKEN",
    about: "the robots.txt lines that decide a URL",
    body: async () => (await import("./explain/run.ts")).explainCommand,
  },
  {
    name: "audit",
    args: "LOG … --base ORIGIN",
    about: "which crawlers came, and which obeyed robots.txt",
    takesFiles: true,
    body: async () => (await import("./audit/run.ts")).auditCommand,
  },
  {
    name: "census",
    args: "--robots SOURCE …",
    about: "which share of sites closes itself to which crawler, and since when",
    body: async () => (await import("./census/run.ts")).censusCommand,
  },
  {
    name: "merge",
    args: "AUDIT.json …",
    about: "one report from the audits, or censuses, of parts",
    takesFiles: true,
    body: async () => (await import("./merge/run.ts")).mergeCommand,
  },
  {
    name: "agents",
    args: "[NAME]",
    about: "the known crawlers",
    body: async () => (await import("./agents/run.ts")).agentsCommand,
  },
  {
    name: "ranges",
    args: "ACTION …",
    about: "lists of crawlers' addresses, for --verify",
    body: async () => (await import("./ranges/run.ts")).rangesCommand,
  },
  {
    name: "lint",
    args: "FILE|URL …",
    about: "mistakes in a robots.txt",
    takesFiles: true,
    body: async () => (await import("./lint/run.ts")).lintCommand,
  },
  {
    name: "diff",
    args: "OLD NEW [LOG …]",
    about: "which URLs a change of robots.txt opens or closes, and for which crawlers",
    takesFiles: true,
    body: async () => (await import("./diff/run.ts")).diffCommand,
  },
  {
    name: "test",
    args: "ROBOTS TESTS …",
    about: "compares the decisions of a robots.txt with expected ones",
    takesFiles: true,
    body: async () => (await import("./check/run.ts")).testCommand,
  },
  {
    name: "detect",
    args: "FILE …",
    about: "how a file would be read",
    takesFiles: true,
    body: async () => (await import("./detect/run.ts")).detectCommand,
  },
  {
    name: "origins",
    args: "FILE|- …",
    about: "the distinct origins of URLs and logs, with counts",
    takesFiles: true,
    body: async () => (await import("./origins/run.ts")).originsCommand,
  },
  {
    name: "fetch",
    args: "ORIGINS … --snapshot DIR",
    about: "fetches the robots.txt of many origins once, into a snapshot",
    takesFiles: true,
    body: async () => (await import("./fetch/run.ts")).fetchCommand,
  },
  {
    name: "answer",
    args: "--stdio --robots DIR",
    about: "answers batches of URLs for programs in other languages",
    body: async () => (await import("./answer/run.ts")).answerCommand,
  },
  {
    name: "cache",
    args: "ls|show|export|…",
    about: "robots.txt files that earlier runs fetched",
    takesFiles: true,
    body: async () => (await import("./cache/run.ts")).cacheCommand,
  },
  {
    name: "completion",
    args: "bash|zsh|fish",
    about: "completion for a shell",
    body: async () => (await import("./completion/run.ts")).completionCommand,
  },
  {
    name: "man",
    args: "",
    about: "the manual page",
    body: async () => (await import("./man/run.ts")).manCommand,
  },
];
