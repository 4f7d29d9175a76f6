// Google's crawlers: the common, special-case and user-triggered crawlers of its documentation, and a few that only other sources name.
import type { Crawler } from "../types.ts";
import { type Row, aiList, crawlersOf, headerList } from "./row.ts";

const docs = "https://developers.google.com/search/docs/crawling-indexing";
const common = [`${docs}/google-common-crawlers`];
const special = [`${docs}/google-special-case-crawlers`];
const triggered = [`${docs}/google-user-triggered-fetchers`];

const reading = "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt";

const recalledOrder = "No source says that it falls back to Googlebot's group.";
const ignoresEverybody = "It obeys only a group that names it, not the group for *.";
const atWill = "A user triggers it; it generally ignores robots.txt.";

const rows: readonly Row[] = [
  {
    productToken: "Googlebot",
    purposes: ["search"],
    crawlDelay: "no",
    header: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    sources: common,
  },
  {
    productToken: "Googlebot-Image",
    purposes: ["search"],
    after: ["Googlebot"],
    crawlDelay: "no",
    header: "Googlebot-Image/1.0",
    note: recalledOrder,
    sources: [...common, headerList],
  },
  {
    productToken: "Googlebot-Video",
    purposes: ["search"],
    after: ["Googlebot"],
    crawlDelay: "no",
    header: "Googlebot-Video/1.0",
    note: recalledOrder,
    sources: [...common, headerList],
  },
  {
    productToken: "Googlebot-News",
    purposes: ["search"],
    after: ["Googlebot"],
    crawlDelay: "no",
    note: `Sends Googlebot's headers, so logs seldom distinguish the two. ${recalledOrder}`,
    sources: common,
  },
  {
    productToken: "Googlebot-Mobile",
    purposes: ["search"],
    after: ["Googlebot"],
    crawlDelay: "no",
    header:
      "Nokia6820/2.0 (4.83) Profile/MIDP-1.0 Configuration/CLDC-1.0 (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)",
    note: `The retired crawler for feature phones; many files still name it. ${recalledOrder}`,
    evidence: "listed",
    sources: [headerList],
  },
  {
    productToken: "Storebot-Google",
    purposes: ["search"],
    crawlDelay: "no",
    header:
      "Mozilla/5.0 (X11; Linux x86_64; Storebot-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.88 Safari/537.36",
    note: "For Google Shopping. Googlebot's group does not apply to it.",
    sources: [...common, "https://developers.google.com/search/docs/advanced/crawling/overview-google-crawlers"],
  },
  {
    productToken: "Google-InspectionTool",
    purposes: ["tools"],
    after: ["Googlebot"],
    crawlDelay: "no",
    header: "Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)",
    note: `For the Rich Results Test and URL Inspection. ${recalledOrder}`,
    sources: common,
  },
  {
    productToken: "GoogleOther",
    purposes: ["research"],
    crawlDelay: "no",
    header: "GoogleOther",
    note: "For Google's product teams and its research. Googlebot's group does not apply to it.",
    sources: [...common, headerList],
  },
  {
    productToken: "GoogleOther-Image",
    purposes: ["research"],
    after: ["GoogleOther"],
    crawlDelay: "no",
    header: "GoogleOther-Image/1.0",
    note: "No source says that it falls back to GoogleOther's group.",
    sources: common,
  },
  {
    productToken: "GoogleOther-Video",
    purposes: ["research"],
    after: ["GoogleOther"],
    crawlDelay: "no",
    header: "GoogleOther-Video/1.0",
    note: "No source says that it falls back to GoogleOther's group.",
    sources: common,
  },
  {
    productToken: "Google-CloudVertexBot",
    purposes: ["ai-search"],
    crawlDelay: "no",
    header:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Google-CloudVertexBot; +https://cloud.google.com/enterprise-search) Chrome/W.X.Y.Z Safari/537.36",
    note: "Crawls at the request of site owners who build Vertex AI agents.",
    sources: [...common, headerList, aiList],
  },
  {
    productToken: "Google-Extended",
    kind: "control-token",
    purposes: ["ai-training"],
    crawlDelay: "no",
    headerNames: ["Google-Extended"],
    note: "States whether Gemini may be trained and grounded on content that Google's crawlers fetch. Google sends no request under this name.",
    ifRefused:
      "Pages are not used to train Google's models, or to ground them outside Search; the site's place in Search does not change.",
    sources: [...common, aiList],
  },
  {
    productToken: "AdsBot-Google",
    purposes: ["ads"],
    bound: "own-group",
    crawlDelay: "no",
    header: "AdsBot-Google (+http://www.google.com/adsbot.html)",
    note: ignoresEverybody,
    sources: special,
  },
  {
    productToken: "AdsBot-Google-Mobile",
    purposes: ["ads"],
    bound: "own-group",
    crawlDelay: "no",
    header:
      "Mozilla/5.0 (Linux; Android 5.0; SM-G920A) AppleWebKit (KHTML, like Gecko) Chrome Mobile Safari (compatible; AdsBot-Google-Mobile; +http://www.google.com/mobile/adsbot.html)",
    note: ignoresEverybody,
    sources: [...special, headerList],
  },
  {
    productToken: "AdsBot-Google-Mobile-Apps",
    purposes: ["ads"],
    bound: "undocumented",
    boundByEverybody: false,
    crawlDelay: "no",
    header: "AdsBot-Google-Mobile-Apps",
    note: `No longer in the documentation. ${ignoresEverybody} (No source was found for that.)`,
    evidence: "listed",
    sources: [headerList],
  },
  {
    productToken: "Google-Ads-Conversions",
    purposes: ["ads"],
    header: "Mozilla/5.0 AppleWebKit/537.36 Chrome/139.0.7258.127 Safari/537.36 Google-Ads-Conversions",
    evidence: "listed",
    sources: [headerList],
  },
  {
    productToken: "DuplexWeb-Google",
    purposes: ["tools"],
    bound: "own-group",
    crawlDelay: "no",
    note: `Retired; many files still name it. ${ignoresEverybody}`,
    evidence: "listed",
    sources: ["https://developers.google.com/search/docs/advanced/crawling/overview-google-crawlers"],
  },
  {
    productToken: "APIs-Google",
    purposes: ["tools"],
    bound: "own-group",
    crawlDelay: "no",
    header: "APIs-Google (+https://developers.google.com/webmasters/APIs-Google.html)",
    note: `For push notifications. ${ignoresEverybody}`,
    sources: special,
  },
  {
    productToken: "Mediapartners-Google",
    purposes: ["ads"],
    bound: "own-group",
    crawlDelay: "no",
    header: "Mediapartners-Google",
    note: `For all of Google's ad products. ${ignoresEverybody}`,
    sources: special,
  },
  {
    productToken: "Google-Safety",
    purposes: ["tools"],
    boundByEverybody: false,
    bound: "no",
    crawlDelay: "no",
    header: "Google-Safety",
    note: "Looks for malware and abuse, and ignores robots.txt.",
    sources: [...special, headerList],
  },
  {
    productToken: "FeedFetcher-Google",
    kind: "user-triggered",
    purposes: ["feeds"],
    boundByEverybody: false,
    bound: "no",
    crawlDelay: "no",
    header: "FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)",
    note: atWill,
    sources: triggered,
  },
  ...[
    "GoogleProducer",
    "Google-Read-Aloud",
    "Google-Site-Verification",
    "Google-CWS",
    "Google-Pinpoint",
    "GoogleMessages",
    "Google-Agent",
  ].map(
    (productToken) =>
      ({
        productToken,
        kind: "user-triggered",
        purposes: [productToken === "Google-Agent" ? "ai-assistant" : "tools"],
        boundByEverybody: false,
        bound: "no",
        crawlDelay: "no",
        note: atWill,
        sources: triggered,
      }) as const,
  ),
  {
    productToken: "Google-NotebookLM",
    kind: "user-triggered",
    purposes: ["ai-assistant"],
    boundByEverybody: false,
    bound: "no",
    crawlDelay: "no",
    note: atWill,
    sources: triggered,
  },
  {
    productToken: "Google-GeminiNotebook",
    kind: "user-triggered",
    purposes: ["ai-assistant"],
    after: ["Google-NotebookLM"],
    boundByEverybody: false,
    bound: "no",
    crawlDelay: "no",
    note: `The newer name of Google-NotebookLM. ${atWill}`,
    sources: triggered,
  },
  {
    productToken: "GoogleAgent-Mariner",
    kind: "user-triggered",
    purposes: ["ai-assistant"],
    header:
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; GoogleAgent-Mariner) Chrome/142.0.7444.162 Safari/537.36",
    note: "An agent that browses for a user.",
    evidence: "listed",
    sources: [headerList, aiList],
  },
  {
    productToken: "GoogleAgent-Shopping",
    kind: "user-triggered",
    purposes: ["ai-assistant"],
    note: "Named by robots.txt files of shops; not found in Google's documentation.",
    evidence: "listed",
    sources: ["https://www.amazon.com/robots.txt"],
  },
  {
    productToken: "GoogleAgent-URLContext",
    kind: "user-triggered",
    purposes: ["ai-assistant"],
    note: "Fetches the URLs in a question to the Gemini API.",
    evidence: "listed",
    sources: [aiList],
  },
  {
    productToken: "Gemini-Deep-Research",
    kind: "user-triggered",
    purposes: ["ai-assistant"],
    evidence: "listed",
    sources: [headerList, aiList],
  },
];

/** Google's crawlers. The dialect and the access policy of each are those of Google's documentation. */
export const google: readonly Crawler[] = crawlersOf(
  "Google",
  rows.map((row) => ({ dialect: "google", accessPolicy: "google", ...row, sources: [...row.sources, reading] })),
);
