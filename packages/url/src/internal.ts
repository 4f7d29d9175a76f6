// Names of @robots-stream/url/internal: shared by the packages of this project. Unstable: any release may change them.
export { RawUrlScanner } from "./raw.ts";
