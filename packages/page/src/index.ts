// The package's main entry point: directives of headers and tags, and what they mean for a crawler. `./html` reads pages.
export {
  type Ground,
  type Ignored,
  type IgnoredBecause,
  type PageDecision,
  type PageOptions,
  type Prohibition,
  decidePage,
} from "./decide-page.ts";
export { type Cell, type EngineName, type EngineProfile, type HeardNames, engineOf, engines } from "./engines.ts";
export { PageError, type PageErrorCode } from "./errors.ts";
export { explainPage } from "./explain-page.ts";
export { type HeaderOptions, readXRobotsTag } from "./header.ts";
export { type MetaTag, readMetaTags } from "./meta.ts";
export type { Directive, Mistake, Place, Statement } from "./types.ts";
