// The flags that name the source of robots.txt files, and their settings. Mistakes are thrown as UsageErrors.
import { notTogether } from "../command-line.ts";
import { flag, type FlagValues, given } from "../flag.ts";
import { networkFlags } from "../network/flags.ts";
import { type NetworkSettings, networkSettingsOf } from "../network/settings.ts";
import { sizeFrom } from "../values.ts";

export interface RobotsSettings {
  /** A saved file, or a folder of saved files; undefined: the network. */
  readonly robotsPath: string | undefined;
  readonly network: NetworkSettings;
  /** Maximum size of one robots.txt. */
  readonly maxBytes: number;
}

export const robotsFlag = flag({
  name: "robots",
  value: "DIR|FILE",
  file: { use: "reads" },
  about:
    "Use saved robots.txt files, not the network: DIR contains example.com.txt …; FILE applies to every origin. DIR or FILE may also be an archive.",
  otherwise: "the robots.txt of each origin is fetched, and fetched again when it has expired",
});

export const maxBytesFlag = flag({
  name: "max-bytes",
  value: "SIZE",
  about: "Maximum number of bytes to read from each robots.txt.",
  otherwise: "512000",
  read: sizeFrom(),
  usual: 512_000,
});

/** Reads the flags. Throws a `UsageError` for the first invalid value, and for flags that exclude each other. */
export function robotsSettingsOf(values: FlagValues): RobotsSettings {
  refuseWithSaved(values);
  const flags = given(values, [robotsFlag, maxBytesFlag]);
  return { robotsPath: flags.get("robots"), network: networkSettingsOf(values), maxBytes: flags.get("max-bytes") };
}

/** Throws a `UsageError` for a flag of the network together with `--robots`, because a run with `--robots` fetches nothing. */
export function refuseWithSaved(values: FlagValues): void {
  const other = values.has("robots") ? networkFlags.find(({ name }) => values.has(name)) : undefined;
  if (other !== undefined) throw notTogether("robots", other.name, "saved files replace the network");
}
