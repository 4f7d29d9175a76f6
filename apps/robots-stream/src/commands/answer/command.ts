// Defines the command `answer`, which answers batches of another program through stdin and stdout.
import type { Command } from "../../cli/command.ts";

export const answer: Command = {
  name: "answer",
  args: "--stdio --robots DIR",
  about: "answers batches of URLs for programs in other languages",
  flags: async () => (await import("./flags.ts")).answerFlags,
  run: async (given) => (await import("./run.ts")).runAnswer(given),
};
