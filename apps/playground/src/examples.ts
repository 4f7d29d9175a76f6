// Lists well-known robots.txt pitfalls, each with URLs and crawlers that demonstrate the pitfall.
import { type Question, questionOf } from "./state.ts";

export interface Example {
  readonly name: string;
  /** What is surprising, in one to three sentences. */
  readonly about: string;
  readonly question: Question;
  /** The answer whose trace is opened; default: the first answer that a rule disallows, or else the first answer. */
  readonly opens?: readonly [row: number, column: number];
}

const shop = `# A shop
User-agent: *
Disallow: /cart
Disallow: /search
Allow: /search/help
Content-Signal: search=yes, ai-train=no

User-agent: GPTBot
User-agent: Bytespider
Disallow: /

Sitemap: https://shop.example/sitemap.xml
`;

/** The pitfalls. The page shows the first one if it opens without a link. */
export const examples: readonly Example[] = [
  {
    name: "A shop",
    about: "The longest matching pattern decides, and a named crawler obeys only its own group.",
    question: questionOf({
      robots: shop,
      urls: "https://shop.example/shoes\nhttps://shop.example/cart/checkout\nhttps://shop.example/search?q=hats\nhttps://shop.example/search/help",
      crawlers: "Googlebot\nbingbot\nGPTBot\nBytespider",
      headers: "X-Robots-Tag: max-snippet:50\nX-Robots-Tag: bingbot: noarchive",
      html: '<head>\n<meta name="robots" content="nosnippet">\n</head>',
    }),
    opens: [3, 0],
  },
  {
    name: "Crawl-delay between user-agent lines",
    about:
      "Only a rule ends a run of user-agent lines, and Crawl-delay is not a rule. Googlebot and bingbot therefore share the rules below: everything is disallowed for both.",
    question: questionOf({
      robots:
        "User-agent: Googlebot\nCrawl-delay: 10\n\nUser-agent: bingbot\nDisallow: /\n\nUser-agent: *\nDisallow: /private\n",
      urls: "https://shop.example/\nhttps://shop.example/private",
      crawlers: "Googlebot\nbingbot\nDuckDuckBot",
    }),
  },
  {
    name: "/*.php$?",
    about:
      "“$” means the end only as the last character of a pattern. Before a “?” it is an ordinary dollar sign: the first rule disallows only URLs that contain one.",
    question: questionOf({
      robots: "User-agent: *\nDisallow: /*.php$?\nDisallow: /*.asp$\n",
      urls: "/index.php\n/index.php?id=1\n/index.php$?id=1\n/index.asp\n/index.asp?id=1",
      crawlers: "Googlebot",
    }),
  },
  {
    name: "MJ12bot",
    about:
      "A product token has letters, “_” and “-”. Google’s parser reads “MJ12bot” as “MJ”; the crawler itself looks for its whole name.",
    question: questionOf({
      robots: "User-agent: MJ12bot\nDisallow: /\n\nUser-agent: *\nDisallow: /private\n",
      urls: "/\n/private",
      crawlers: "MJ12bot\nMJ\nbingbot",
    }),
  },
  {
    name: "Disallow of nothing",
    about:
      "An empty Disallow disallows nothing, but it makes a group of its own: the rules for * do not bind the named crawler.",
    question: questionOf({
      robots: "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow:\n",
      urls: "/\n/private",
      crawlers: "Googlebot\nbingbot",
    }),
  },
  {
    name: "A group for one crawler",
    about:
      "A named crawler obeys only its own group: the rules for * no longer bind bingbot, which may fetch /private.",
    question: questionOf({
      robots: "User-agent: *\nDisallow: /private\n\nUser-agent: bingbot\nDisallow: /old\n",
      urls: "/private\n/old",
      crawlers: "bingbot\nGooglebot",
    }),
  },
  {
    name: "Escapes and letters",
    about:
      "Google’s parser compares bytes: “%61” is not “a”, and letters outside ASCII are compared as escapes. RFC 9309 decodes escapes that are not needed.",
    question: questionOf({
      robots: "User-agent: *\nDisallow: /%61dmin\nDisallow: /b\u00fccher\nDisallow: /Caf%c3%a9\n",
      urls: "/admin\n/%61dmin\n/b%C3%BCcher\n/b\u00fccher\n/Caf%C3%A9",
      crawlers: "Googlebot",
    }),
    opens: [0, 0],
  },
  {
    name: "A change of the file",
    about: "What a second file changes: each rule with a URL that proves it.",
    question: questionOf({
      robots: "User-agent: *\nDisallow: /cart\nDisallow: /tmp\n",
      next: "User-agent: *\nDisallow: /cart\nDisallow: /cart/checkout\nDisallow: /*?sort=\n",
      urls: "/cart\n/tmp\n/shoes?sort=price",
      crawlers: "Googlebot\nbingbot",
    }),
  },
];
