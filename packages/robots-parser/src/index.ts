// The public names of @robots-stream/robots-parser.
export { type Explanation, type Robot, robotsParser as default } from "./robots.ts";
