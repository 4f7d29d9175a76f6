// The input formats whose records are lines, with the samples from which the tests of all formats build their sources.
import { lineLogFormats, objectLogFormats } from "@robots-stream/logs";
import type { FormatSamples, InputFormat } from "../src/formats/input-format.ts";
import { inputFormats } from "../src/formats/registry/registry.ts";

/** A format with samples. */
export type SampledFormat = InputFormat & { readonly samples: FormatSamples };

/** Logs that are rows of data. One reader of text logs and one of JSON logs read all of them. */
const ofRows: ReadonlySet<string> = new Set([
  ...lineLogFormats.filter(({ isOfPattern }) => isOfPattern === true).map(({ name }) => name),
  ...objectLogFormats.filter(({ facts }) => facts !== undefined).map(({ name }) => name),
]);
const examples: ReadonlySet<string> = new Set(["haproxy", "aws_waf"]);
const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

/** Every format with samples, in the order of the registry. Of the logs that are rows, only the examples, unless tests are thorough. */
export const sampledFormats: readonly SampledFormat[] = inputFormats.filter(
  (format): format is SampledFormat =>
    format.samples !== undefined && (isThorough || !ofRows.has(format.name) || examples.has(format.name)),
);
