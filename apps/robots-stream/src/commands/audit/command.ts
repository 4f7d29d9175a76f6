// Defines the command `audit`, which audits access logs against robots.txt.
import type { Command } from "../../cli/command.ts";

export const audit: Command = {
  name: "audit",
  args: "LOG … --base ORIGIN",
  about: "which crawlers came, and which obeyed robots.txt",
  takesFiles: true,
  flags: async () => (await import("./flags.ts")).auditFlags,
  run: async (given) => (await import("./run.ts")).runAudit(given),
};
