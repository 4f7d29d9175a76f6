// The flags that say where robots.txt files come from in, the settings of finding them out; or the mistake, in words that help.
import { type FlagValues, lastOf } from "./command-line.ts";
import { type NetworkFlagName, refuseWithSaved } from "./network/flags.ts";
import { type NetworkSettings, networkSettingsOf } from "./network/settings.ts";
import { sizeOf } from "./values.ts";

/** Where robots.txt files come from. */
export interface RobotsSettings {
  /** A file or a folder of saved ones; undefined: the network. */
  readonly robotsPath: string | undefined;
  /** How to ask for robots.txt files. */
  readonly network: NetworkSettings;
  /** Bytes of one robots.txt. */
  readonly maxBytes: number;
}

/** The flags of these settings. */
export type RobotsFlagName = NetworkFlagName | "robots" | "max-bytes";

/** Reads the flags. Throws a `UsageError` for the first one that cannot be, or not with another. */
export function robotsSettingsOf(values: FlagValues<RobotsFlagName>): RobotsSettings {
  refuseWithSaved(values);
  return {
    robotsPath: lastOf(values, "robots"),
    network: networkSettingsOf(values),
    maxBytes: sizeOf("max-bytes", lastOf(values, "max-bytes")) ?? 512_000,
  };
}
