// Defines the command `agents`, which lists the known crawlers.
import type { Command } from "../../cli/command.ts";

export const agents: Command = {
  name: "agents",
  args: "[NAME]",
  about: "the known crawlers",
  flags: async () => (await import("./run.ts")).agentsFlags,
  run: async (given) => (await import("./run.ts")).runAgents(given),
};
