// Control tokens and policy tokens as data: names in robots.txt under which nothing fetches, and the uses that they control.
import type { UseToken } from "./types.ts";

const google = "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers";
const apple = "https://support.apple.com/en-us/119829";
const lists = "https://github.com/ai-robots-txt/ai.robots.txt";

/**
 * The control tokens that operators document. That a group for `*` binds a token which the file does not name follows from RFC 9309 §2.2.1
 * for any product token; no operator says it of its token.
 */
export const controlTokens: readonly UseToken[] = Object.freeze(
  (
    [
      {
        productToken: "Google-Extended",
        crawlers: [
          "Googlebot",
          "Googlebot-Image",
          "Googlebot-Video",
          "Googlebot-News",
          "GoogleOther",
          "GoogleOther-Image",
          "GoogleOther-Video",
        ],
        categories: ["train-ai", "ai-input"],
        boundByEverybody: true,
        sources: [google],
      },
      {
        productToken: "Applebot-Extended",
        crawlers: ["Applebot"],
        categories: ["train-ai"],
        boundByEverybody: true,
        sources: [apple],
      },
      {
        productToken: "Webzio-Extended",
        crawlers: ["webzio", "omgili", "omgilibot"],
        categories: ["train-ai"],
        boundByEverybody: true,
        sources: [lists],
      },
    ] satisfies UseToken[]
  ).map((token) => Object.freeze(token)),
);

/** What is known of a policy token: a purpose's name in an ordinary user-agent line. */
export interface PolicyTokenDraft {
  readonly document: string;
  /** Its name; `"unknown"`: not known here. */
  readonly productToken: string;
  /** Whether `*` is its fallback. */
  readonly boundByEverybody: boolean | "unknown";
}

/** The drafts of policy tokens. A token without a known name is not looked for; the option `tokens` adds one. */
export const policyTokenDrafts: readonly PolicyTokenDraft[] = Object.freeze([
  Object.freeze({
    document: "draft-kelley-aipref-training-preference-signal-00",
    productToken: "unknown",
    boundByEverybody: "unknown",
  } as const),
]);
