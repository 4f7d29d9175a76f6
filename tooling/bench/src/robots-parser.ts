// npm robots-parser with a correct type: it is CommonJS, but its type declarations are not.
import * as robotsParserModule from "robots-parser";

/** A robots.txt parsed by robots-parser. */
export interface RobotsParser {
  /** undefined if the URL has another origin than the file. */
  isAllowed(url: string, userAgent: string): boolean | undefined;
}

/** Parses the text of the robots.txt at a URL. */
export const robotsParser: (robotsUrl: string, text: string) => RobotsParser =
  robotsParserModule.default as unknown as typeof robotsParser;

// One live object, as in @robots-stream/core: a garbage collection without one drops the machine code of its class.
const alive = robotsParser("https://example.com/robots.txt", "User-agent: *\nDisallow: /");
process.on("exit", () => alive.isAllowed("https://example.com/", "a"));
