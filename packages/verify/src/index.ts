// The public names of @robots-stream/verify.
export { type Address, AddressReader, addressText, isLocalAddress, parseAddress } from "./address.ts";
export { VerifyError, type VerifyErrorCode } from "./errors.ts";
export {
  checksReviewed,
  type HostNames,
  publishedChecks,
  type PublishedChecks,
  type RangeFile,
  rangeFiles,
} from "./checks.ts";
export { ClientAddresses } from "./client-address.ts";
export { findHosts, type HostFinding, isHostOf, type Resolver } from "./hosts.ts";
export { type Prefix, PrefixTable } from "./prefix-table.ts";
export {
  mostFileCharacters,
  mostPrefixes,
  parsePrefix,
  type RangeList,
  type RangeProblem,
  type ReadRanges,
  readRanges,
} from "./range-list.ts";
export {
  type Claim,
  type CrawlerChecks,
  createVerifier,
  type DatedList,
  type Verdict,
  type Verification,
  type VerifiedBecause,
  type Verifier,
  type VerifierOptions,
} from "./verifier.ts";
