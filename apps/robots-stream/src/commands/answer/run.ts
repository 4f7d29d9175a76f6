// Runs the command `answer`, which writes an answer for each frame on stdin, to stdout or a file, and returns the command's exit code.
import { UsageError } from "@robots-stream/engine";
import { readAgentPipes } from "../../cli/requested-agents.ts";
import { commandBody, type Running } from "../../cli/command-body.ts";
import { notTogether } from "../../cli/command-line.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { flag } from "../../cli/flag.ts";
import { outputFlags, outputOf } from "../../cli/output-format.ts";
import {
  agentFlag,
  agentsFlag,
  requestedQuestionsOf,
  crawlersFlag,
  noFallbackFlag,
  oneDialectFlag,
  questionOptionsOf,
  targetFlag,
  tokenMatchFlag,
} from "../../cli/question-settings.ts";
import { maxBytesFlag, robotsFlag } from "../../cli/robots/flags.ts";
import { answerDecisions, type DecidingSettings } from "./decided-answers.ts";
import { framesOf, packedOf, answerHeadOf, type Frame } from "./frames.ts";
import type { Writable } from "node:stream";
import { RequestPlaces } from "@robots-stream/engine/internal";
import { writeText } from "../../cli/ending.ts";

const formats = [{ name: "csv" }] as const;

/** The flags that apply only to answers with decisions. */
const decidingFlags = [
  agentFlag,
  agentsFlag,
  crawlersFlag,
  noFallbackFlag,
  flag({
    name: "user-agents",
    about:
      "Frames have a second column with a User-Agent header. Each row is decided for the crawler that its header names.",
  }),
];
const readingFlags = [oneDialectFlag, tokenMatchFlag, targetFlag];

const answerFlags = [
  flag({ name: "stdio", about: "Read frames from stdin and write frames to stdout. Required." }),
  {
    ...robotsFlag,
    about: "Saved robots.txt files that decide the URLs: a snapshot, an archive or a folder. Nothing is fetched.",
    otherwise: "required, except with --origins",
  },
  ...decidingFlags,
  flag({ name: "origins", about: "Answer with the origin of each URL instead of a decision." }),
  ...readingFlags,
  maxBytesFlag,
  ...outputFlags(formats),
];

export const answerCommand = commandBody({
  name: "answer",
  flags: answerFlags,
  help: {
    start: `
robots-stream answer: answers batches of URLs for programs in other languages

Usage
  PROGRAM | robots-stream answer --stdio --robots DIR --agent TOKEN [flags] | PROGRAM
  PROGRAM | robots-stream answer --stdio --origins | PROGRAM

A program runs this command as a child process. It writes frames to stdin, each with a column of URLs and, with --user-agents, a column of User-Agent headers. For each frame, the command writes one frame to stdout, with one line of CSV for each row (with several agents, one line for each row and agent), in the same order. A URL may contain any bytes; a row without a URL gives a line of empty fields. docs/SCALE.md describes the frames. Nothing is fetched. The command ends when stdin ends.

Examples
  robots-stream answer --stdio --robots snapshot/ --agent bingbot,GPTBot
  robots-stream answer --stdio --robots snapshot/ --user-agents
`,
    exitCodes: {
      0: "every frame was answered",
      2: "wrong usage",
      3: "a frame or the saved robots.txt of a URL is damaged, or reading or writing failed",
    },
    stopped: "",
  },
  async run(running) {
    const { values, stdin, signal, use, print } = running;
    const deciding = await decidingSettingsOf(running);
    const output = outputOf(values, formats);
    const used = use(["-"], output);
    return print(output, used, async (stream) => {
      const stop = (): void => void stdin.destroy();
      signal.addEventListener("abort", stop, { once: true });
      try {
        if (deciding === undefined) await answerOrigins(framesOf(stdin, 1), stream);
        else await answerDecisions(deciding, { ...running, stdout: stream, used });
      } finally {
        signal.removeEventListener("abort", stop);
      }
      signal.throwIfAborted();
      return exitCodes.done;
    });
  },
});

/** Resolves to undefined if answers contain origins. Rejects with a `UsageError` for the first mistake. */
async function decidingSettingsOf({
  flags,
  values,
  files,
  signal,
}: Running<(typeof answerFlags)[number]>): Promise<DecidingSettings | undefined> {
  const example = "for example: robots-stream answer --stdio --robots snapshot/ --agent bingbot";
  if (!flags.has("stdio"))
    throw new UsageError("wrong-value", "answer reads stdin and writes stdout: give --stdio", example);
  if (files.length > 0) throw new UsageError("wrong-value", "answer reads frames from stdin, and no files", example);
  if (flags.get("origins")) {
    const names = [...decidingFlags, ...readingFlags].map(({ name }) => name);
    const other = flags.first(...names, "robots", "max-bytes");
    if (other !== undefined) throw notTogether("origins", other, "an origin depends on the URL alone");
    return undefined;
  }
  const robotsPath = flags.get("robots");
  if (robotsPath === undefined) {
    throw new UsageError("wrong-value", "--robots is missing: answer fetches nothing", example);
  }
  const hasAgents = flags.get("user-agents");
  const other = flags.first("agent", "agents");
  if (hasAgents && other !== undefined) throw notTogether("user-agents", other, "each row names its crawler");
  const questionOptions = { ...questionOptionsOf(values), areFromHeaders: hasAgents };
  if (questionOptions.dialects.length > 1) {
    throw new UsageError("wrong-value", "answer takes one --dialect: run one process for each dialect");
  }
  const agentSets = flags.get("agents");
  const pipes = await readAgentPipes(agentSets, signal);
  return {
    robotsPath,
    maxBytes: flags.get("max-bytes"),
    questions: hasAgents ? [] : requestedQuestionsOf(values, questionOptions, pipes),
    questionOptions,
    agentSets,
    hasAgents,
    targetForm: flags.get("target"),
  };
}

/** Answers each frame with one line for each row: the origin, or an empty line if the row has no URL or the URL has no origin. */
async function answerOrigins(frames: AsyncIterable<Frame>, stdout: Writable): Promise<void> {
  const places = new RequestPlaces();
  for await (const frame of frames) {
    const { rows } = frame;
    const [urls] = frame.columns;
    const packed = packedOf(frame);
    let text = "";
    let record = 0;
    for (let row = 0; row < rows; row++) {
      if (urls!.has(row)) {
        places.locate(packed, record++);
        text += places.origin;
      }
      text += "\n";
    }
    const lines = Buffer.from(text, "latin1");
    await writeText(stdout, Buffer.concat([answerHeadOf(rows, rows, lines.length), lines]));
  }
}
