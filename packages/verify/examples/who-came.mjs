// The example of the README.
import { createVerifier, rangeFiles, readRanges } from "@robots-stream/verify";

console.log(rangeFiles.find(({ name }) => name === "google-common")?.url);

const file = '{"creationTime":"2026-11-20T15:46:05","prefixes":[{"ipv4Prefix":"66.249.64.0/19"}]}';
const { ranges, problem } = readRanges(file);
if (ranges === undefined) throw new Error(problem);

const verifier = createVerifier({ lists: [{ name: "google-common", ranges, fetchedAtMs: Date.UTC(2026, 10, 21) }] });
const atMs = Date.UTC(2026, 10, 22);
console.log(verifier.verify({ productToken: "Googlebot", address: "66.249.66.1", atMs }));
console.log(verifier.verify({ productToken: "Googlebot", address: "198.20.7.9", atMs }).verdict);
