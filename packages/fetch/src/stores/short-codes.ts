// What short robots.txt are made of → how many bits each of it takes: the phrases and lengths of prefix codes that `short-pack.ts` agrees upon.

/**
 * Part of the format, all of it: a change of one number makes what was written unreadable, so it comes with a new schema
 * version. The numbers come from counting in some hundreds of files; no other octet has more than twelve bits.
 */
const bitsOfOctets =
  "cccccccccc7cc9cccccccccccccccccc5b98aaabaa7b967578898999998ba8a8" +
  "c898999aa9ab99999c989abaccbcbcc7c56564666597565569555677879cbbbc" +
  "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc" +
  "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc";

/** Of the codes of lengths from 4 to 131, and of distances up to 8,192. */
const bitsOfLengths = "677888886677778999abbcca";
const bitsOfDistances = "89a9887533344444445556689a";

/** Phrases by the bits of their codes, with | between them. None is shorter than four octets. */
const phrasesByBits: readonly (readonly [bits: number, phrases: string])[] = [
  [7, "\nDisallow: /"],
  [8, "\r\nDisallow: /|User-agent: *\n|Disallow: /|.com/"],
  [9, ".php|search|\nAllow: /|www.|http://"],
  [
    10,
    "user|sitemap.xml|site|User-agent: *\r\n|\nUser-agent: |\n\nUser-agent: |index|robots|admin|news|" +
      "/sitemap.xml|login|User-agent: |.xml\n|sitemap|.html|content|Sitemap|/sitemap|Sitemap: https://www.|" +
      "\nSitemap: https://www.|\nDisallow: |test|\n\nUser-agent: *\n|\nDisallow: /\n",
  ],
  [
    11,
    "video|html|Disallow:|\nDisallow:|\r\nAllow: /|Allow: /|file|\nDisallow: /search|wp-admin|admin-ajax|" +
      "\r\nUser-agent: |Disallow: /wp-|Mediapartners-Google|profiles|# robots.txt|robots.txt|account|" +
      "User-Agent: |\n\nSitemap: https://|page|\nDisallow: /*|register|\r\n\r\nUser-agent: |blog|cgi-bin|node|" +
      "\nUser-agent: *|comment|password|\nCrawl-delay: |reply|includes|images|ajax|.aspx|" +
      "\r\nSitemap: https://www.|misc|about|filter|INSTALL|resources|/search|themes|update|Googlebot|feed|" +
      "\r\nDisallow: /*|/index|Yahoo|\nDisallow: /admin|Search|lang|\r\nDisallow: ",
  ],
  [
    12,
    "print|example|host|sitemap_index.xml|pages|Google|scripts|Crawl-delay: |URLs|sitemaps|spiders|" +
      "ia_archiver|\nSitemap: https://|services|media|profile|crawling|product|server|files|store|clean|" +
      "https://www.|order|\r\nDisallow: /\r\n|archive|Directories|indexing|Disallow: /*|.xml\r\n|" +
      "\r\nDisallow:|contact|\r\nUser-agent: *|error|bandwidth|mobile|\nDisallow: /*?|forum|xmlrpc|assets|" +
      "install|Images|review|forums|products|\r\nDisallow: /search|Yandex|download|sitemap-index|" +
      "\nUser-Agent: |Allow|users|static|support|Disallow: /search|preview|checkout|LICENSE|\r\nCrawl-delay: |" +
      "reviews|community|gallery|redirect|bingbot|common|documentation|sqlite|signup|AhrefsBot|" +
      "\nDisallow: /wp-|Twitterbot|members|msnbot|access|Baiduspider|downloads|comments|user-agent|calendar|" +
      "news-sitemap|settings|https://|templates|default|partners|Googlebot-News|feedback|AdsBot-Google|" +
      "Disallow|\nAllow: /*|subscription|\r\nSitemap: https://|unsubscribe|googlebot|\r\nDisallow: /admin|" +
      "Disallow: /*?|SearchResults|Adsbot-Google|Sitemap: https://|\r\nDisallow: /wp-|facebookexternalhit|" +
      "Disallow: /\n\nUser-agent: ",
  ],
];

const digitsOf = (digits: string): number[] => Array.from(digits, (digit) => Number.parseInt(digit, 16));

/** The phrases, the most frequent first. */
export const phrases: readonly string[] = phrasesByBits.flatMap(([, those]) => those.split("|"));

/** Bits of the 256 octets, of the lengths, and of the phrases. */
export const symbolBits: readonly number[] = [
  ...digitsOf(bitsOfOctets),
  ...digitsOf(bitsOfLengths),
  ...phrasesByBits.flatMap(([bits, those]) => those.split("|").map(() => bits)),
];

/** Bits of the distances. */
export const distanceBits: readonly number[] = digitsOf(bitsOfDistances);
