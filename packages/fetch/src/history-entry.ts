// Exports the public names of @robots-stream/fetch/history, which finds, from observations of any source, the versions of a robots.txt that
// may have been in force for an origin around a time. Imports no Node module.
export { type OriginHistory, type RobotsTimeline, createHistory } from "./history/history.ts";
export {
  type Access,
  type Gap,
  type Interval,
  type Observation,
  type Outage,
  type PolicyName,
  type RedirectPlace,
  type RobotsTarget,
  type Window,
  policyNames,
  unavailableVersion,
} from "./history/types.ts";
