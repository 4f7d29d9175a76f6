// The public names of @robots-stream/fetch/json: a stored entry as JSON and back, for exports and for stores that keep text.
export { type LastCopyJson, type StoredRobotsJson, jsonOfStored, storedOfJson } from "./stores/json.ts";
