// The input formats whose records are lines, with the samples that the tests of all of them make their sources of.
import { lineLogFormats } from "@robots-stream/logs";
import type { FormatSamples } from "../src/formats/recognition.ts";
import { inputFormats } from "../src/formats/registry.ts";
import type { InputFormat } from "../src/records/batch.ts";

/** A format with samples. */
export type SampledFormat = InputFormat & { readonly samples: FormatSamples };

/** Every format with samples, in the order of the registry. */
const everySampledFormat: readonly SampledFormat[] = inputFormats.filter(
  (format): format is SampledFormat => format.samples !== undefined,
);

/** Logs that one mechanism reads, and the one of them that stands for all: it has several shapes. */
const ofPatterns: ReadonlySet<string> = new Set(
  lineLogFormats.filter(({ isOfPattern }) => isOfPattern === true).map(({ name }) => name),
);
const examples: ReadonlySet<string> = new Set(["haproxy"]);

/** The formats of the long tests: every format when asked for. */
export const sampledFormats: readonly SampledFormat[] = everySampledFormat.filter(
  ({ name }) => process.env["ROBOTS_STREAM_THOROUGH"] === "true" || !ofPatterns.has(name) || examples.has(name),
);
