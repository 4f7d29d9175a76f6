// The input formats whose records are lines, with the samples that the tests of all of them make their sources of.
import type { FormatSamples } from "../src/formats/recognition.ts";
import { inputFormats } from "../src/formats/registry.ts";
import type { InputFormat } from "../src/records/batch.ts";

/** A format with samples. */
export type SampledFormat = InputFormat & { readonly samples: FormatSamples };

/** Every format with samples, in the order of the registry. */
export const sampledFormats: readonly SampledFormat[] = inputFormats.filter(
  (format): format is SampledFormat => format.samples !== undefined,
);
