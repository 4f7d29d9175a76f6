// The public names of @robots-stream/fetch/history: which versions of a robots.txt were in force for an origin around a time, from
// observations of any source. Imports no Node module.
export { type OriginHistory, type RobotsTimeline, createHistory } from "./history/history.ts";
export {
  type Access,
  type Gap,
  type Interval,
  type Observation,
  type Outage,
  type PolicyName,
  type Window,
  policyNames,
  unavailableVersion,
} from "./history/types.ts";
