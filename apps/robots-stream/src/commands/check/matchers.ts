// Decides targets for any crawler by one robots.txt. For a known crawler, the registry lists the names of its groups.
import { type Decision, type DialectName, type Matcher, parseRobotsTxt, type RobotsTxt } from "@robots-stream/core";
import { createCrawlerMatcher } from "@robots-stream/core/product-tokens";
import { questionsOf } from "@robots-stream/engine/internal";

/** The matchers of one robots.txt, cached by product token. The product token `*` means a crawler that no group names. */
export class TestedRobots {
  readonly #robots: RobotsTxt;
  readonly #dialect: DialectName;
  readonly #matchers = new Map<string, Matcher>();

  constructor(body: Uint8Array, dialect: DialectName) {
    this.#robots = parseRobotsTxt(body, { dialect });
    this.#dialect = dialect;
  }

  decide(productToken: string, target: string): Decision {
    let matcher = this.#matchers.get(productToken);
    if (matcher === undefined) this.#matchers.set(productToken, (matcher = this.#create(productToken)));
    return matcher.decideTarget(target);
  }

  /** The product tokens that decisions were made for. */
  productTokens(): readonly string[] {
    return [...this.#matchers.keys()];
  }

  #create(productToken: string): Matcher {
    if (productToken === "*") return createCrawlerMatcher(this.#robots, { names: [] }, { tokenMatch: "google" });
    const options = { dialects: [this.#dialect], tokenMatch: undefined, hasFallback: true };
    const [question] = questionsOf([productToken], options);
    return createCrawlerMatcher(this.#robots, question!, { tokenMatch: question!.tokenMatch });
  }
}
