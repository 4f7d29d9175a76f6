// The command that answers batches of another program through stdin and stdout.
import type { Command } from "../../shell/command.ts";

export const answer: Command = {
  name: "answer",
  args: "--stdio --robots DIR",
  about: "decisions for batches of another program",
  flags: async () => (await import("./flags.ts")).answerFlags,
  run: async (given) => (await import("./run.ts")).runAnswer(given),
};
