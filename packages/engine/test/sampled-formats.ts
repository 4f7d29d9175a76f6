// The input formats whose records are lines, with the samples that the tests of all of them make their sources of.
import { lineLogFormats, objectLogFormats } from "@robots-stream/logs";
import type { FormatSamples } from "../src/formats/recognition.ts";
import { inputFormats } from "../src/formats/registry.ts";
import type { InputFormat } from "../src/records/batch.ts";

/** A format with samples. */
export type SampledFormat = InputFormat & { readonly samples: FormatSamples };

/** Logs that are rows of data, which one reader reads: of the text logs one with several shapes, of JSON one with members and lists. */
const ofRows: ReadonlySet<string> = new Set([
  ...lineLogFormats.filter(({ isOfPattern }) => isOfPattern === true).map(({ name }) => name),
  ...objectLogFormats.filter(({ facts }) => facts !== undefined).map(({ name }) => name),
]);
const examples: ReadonlySet<string> = new Set(["haproxy", "aws_waf"]);
const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] === "true";

/** Every format with samples, in the order of the registry; of the logs that are rows only some, unless tests are thorough. */
export const sampledFormats: readonly SampledFormat[] = inputFormats.filter(
  (format): format is SampledFormat =>
    format.samples !== undefined && (isThorough || !ofRows.has(format.name) || examples.has(format.name)),
);
