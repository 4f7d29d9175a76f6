// Reads the flags that name the source of robots.txt files (saved files or network) into settings. Mistakes are thrown as UsageErrors.
import { type FlagValues, lastOf } from "../command-line.ts";
import { type NetworkFlagName, refuseWithSaved } from "../network/flags.ts";
import { type NetworkSettings, networkSettingsOf } from "../network/settings.ts";
import { sizeOf } from "../values.ts";

export interface RobotsSettings {
  /** A saved file, or a folder of saved files; undefined: the network. */
  readonly robotsPath: string | undefined;
  readonly network: NetworkSettings;
  /** Maximum size of one robots.txt. */
  readonly maxBytes: number;
}

/** The flags of these settings. */
export type RobotsFlagName = NetworkFlagName | "robots" | "max-bytes";

/** Reads the flags. Throws a `UsageError` for the first invalid value, and for flags that exclude each other. */
export function robotsSettingsOf(values: FlagValues<RobotsFlagName>): RobotsSettings {
  refuseWithSaved(values);
  return {
    robotsPath: lastOf(values, "robots"),
    network: networkSettingsOf(values),
    maxBytes: sizeOf("max-bytes", lastOf(values, "max-bytes")) ?? 512_000,
  };
}
