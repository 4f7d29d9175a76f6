// The vocabularies as data: for each key of a signal, its categories, its values and the document that defines it.
import type { Category, PreferenceValue, SignalName } from "./types.ts";

/** One key, or one directive, of a signal. */
export interface VocabularyRow {
  readonly signal: SignalName;
  /** The key of a dictionary, or the name of a field or directive. */
  readonly key: string;
  /** The categories to which the key applies; empty if it applies to none of them. */
  readonly categories: readonly Category[];
  /** The values that have a meaning; every other value is unknown. A directive has the value `""`. */
  readonly values: Readonly<Record<string, PreferenceValue>>;
  readonly source: string;
}

const yOrN = { y: "allow", n: "disallow" } as const;
const yesOrNo = { yes: "allow", no: "disallow" } as const;
const vocab = "draft-ietf-aipref-vocab-08 §5, §6";
const cloudflare = "contentsignals.org; Cloudflare's blog of 2025-09-24";
const bing = "Bing's blog, September 2023";

/** Every key that is known. Keys that are not here have no effect. */
export const vocabulary: readonly VocabularyRow[] = Object.freeze(
  (
    [
      { signal: "content-usage", key: "train-ai", categories: ["train-ai"], values: yOrN, source: vocab },
      { signal: "content-usage", key: "search", categories: ["search"], values: yOrN, source: vocab },
      {
        signal: "content-usage",
        key: "ai-use",
        categories: ["ai-input"],
        values: yOrN,
        source:
          "draft-ietf-aipref-vocab-08 §4.2, according to several people who read the draft; they also report that ai-use means the same as ai-input of Content-Signal. The draft itself was not available",
      },
      { signal: "content-signal", key: "ai-train", categories: ["train-ai"], values: yesOrNo, source: cloudflare },
      { signal: "content-signal", key: "search", categories: ["search"], values: yesOrNo, source: cloudflare },
      { signal: "content-signal", key: "ai-input", categories: ["ai-input"], values: yesOrNo, source: cloudflare },
      {
        signal: "content-signal",
        key: "use",
        categories: [],
        values: {},
        source:
          "Cloudflare, 2026: the values immediate, reference and full; reported in the member `use` of the result, not as a category",
      },
      {
        signal: "tdm",
        key: "tdm-reservation",
        categories: ["train-ai"],
        values: { 1: "disallow", 0: "allow" },
        source:
          "TDM Reservation Protocol §4: 1 reserves the rights of text and data mining, 0 does not; training is one of its uses (Directive (EU) 2019/790, article 4; Regulation (EU) 2024/1689, article 53)",
      },
      {
        signal: "bing",
        key: "noarchive",
        categories: ["train-ai", "ai-input"],
        values: { "": "disallow" },
        source: bing,
      },
      {
        signal: "bing",
        key: "nocache",
        categories: ["train-ai", "ai-input"],
        values: { "": "unknown" },
        source: `${bing}: URL, title and snippet only, hence neither allowed nor disallowed`,
      },
      { signal: "noai", key: "noai", categories: ["train-ai"], values: { "": "unknown" }, source: "no specification" },
      {
        signal: "noai",
        key: "noimageai",
        categories: ["train-ai"],
        values: { "": "unknown" },
        source: "no specification",
      },
    ] satisfies VocabularyRow[]
  ).map((row) => Object.freeze(row)),
);

/** All categories. */
export const categories: readonly Category[] = Object.freeze(["train-ai", "search", "ai-input"] as const);

const rowByKey = new Map(vocabulary.map((row) => [`${row.signal} ${row.key}`, row]));

/** The row of a key; undefined for a key that is not known. */
export function rowOf(signal: SignalName, key: string): VocabularyRow | undefined {
  return rowByKey.get(`${signal} ${key}`);
}

/** The preference that a value of the key expresses; `"unknown"` for a value that the row does not contain. */
export function valueIn({ values }: VocabularyRow, value: string): PreferenceValue {
  return Object.hasOwn(values, value) ? values[value]! : "unknown";
}

/** The crawlers that read Bing's directives. */
export const bingCrawlers: readonly string[] = Object.freeze(["bingbot", "msnbot"]);
