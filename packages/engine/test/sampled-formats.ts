// The input formats whose records are lines, with the samples that the tests of all of them make their sources of.
import { objectLogFormats } from "@robots-stream/logs";
import type { FormatSamples } from "../src/formats/recognition.ts";
import { inputFormats } from "../src/formats/registry.ts";
import type { InputFormat } from "../src/records/batch.ts";

/** A format with samples. */
export type SampledFormat = InputFormat & { readonly samples: FormatSamples };

/** Of the kinds of JSON logs that are rows of data, which one reader reads: one with members and lists in a member. */
const fewJsonKinds: ReadonlySet<string> = new Set(["aws_waf"]);
const jsonKinds = new Set(objectLogFormats.filter(({ facts }) => facts !== undefined).map(({ name }) => name));
const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] === "true";

/** Every format with samples, in the order of the registry; of the kinds of JSON logs only some, unless tests are thorough. */
export const sampledFormats: readonly SampledFormat[] = inputFormats.filter(
  (format): format is SampledFormat =>
    format.samples !== undefined && (isThorough || !jsonKinds.has(format.name) || fewJsonKinds.has(format.name)),
);
