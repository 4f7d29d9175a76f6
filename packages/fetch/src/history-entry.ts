// The public names of @robots-stream/fetch/history: what robots.txt held for an origin around a time, out of observations from any
// source. Imports no Node module.
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
