// Exports the public names of @robots-stream/fetch/json, which converts a stored entry to JSON and back, for exports and for stores that
// keep text.
export { type LastCopyJson, type StoredRobotsJson, jsonOfStored, storedOfJson } from "./stores/json.ts";
