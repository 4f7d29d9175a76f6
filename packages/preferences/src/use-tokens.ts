// Control tokens and policy tokens as data: names in robots.txt that control a use and that no crawler sends in requests.
import type { UseToken } from "./types.ts";

const google = "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers";
const apple = "https://support.apple.com/en-us/119829";
const lists = "https://github.com/ai-robots-txt/ai.robots.txt";

/**
 * The control tokens that operators document. A group for `*` binds a token that the file does not name: this follows from RFC 9309 §2.2.1,
 * although no operator documents it.
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

/** The known facts about a draft of a policy token. A policy token is the name of a purpose in an ordinary user-agent line. */
export interface PolicyTokenDraft {
  readonly document: string;
  /** The name of the token. It is reported by one source; the draft itself was not available. */
  readonly productToken: string;
  /** Whether the groups for `*` apply when the file does not name the token. */
  readonly boundByEverybody: boolean | "unknown";
}

/** The drafts of policy tokens. */
export const policyTokenDrafts: readonly PolicyTokenDraft[] = Object.freeze([
  Object.freeze({
    document: "draft-kelley-aipref-training-preference-signal-00",
    productToken: "__usage_ai-training",
    boundByEverybody: "unknown",
  } as const),
]);

/**
 * The policy tokens of these drafts. Only a group that names a token counts: whether a group for `*` binds a token that the file does not
 * name is unknown.
 */
export const policyTokens: readonly UseToken[] = Object.freeze(
  policyTokenDrafts.map(({ document, productToken }) =>
    Object.freeze({
      productToken,
      crawlers: ["*"],
      categories: ["train-ai"],
      boundByEverybody: false,
      signal: "policy-token",
      sources: [`${document}; the token is reported by one source, the draft was not available`],
    } satisfies UseToken),
  ),
);
