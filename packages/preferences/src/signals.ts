// The signals as data: the document that defines each signal, its state, the parties that act on the signal, and the day on which these
// facts were looked up.
import type { SignalName } from "./types.ts";

/** One signal. */
export interface Signal {
  readonly name: SignalName;
  /** The spelling in files and responses. */
  readonly title: string;
  /**
   * `"draft"`: its document is not final. `"final"`: its document is final. `"in-use"`: companies that use the signal have published what
   * it means; it is not a standard. `"unspecified"`: no document defines it.
   */
  readonly state: "draft" | "final" | "in-use" | "unspecified";
  readonly document: string;
  /**
   * The parties that are documented to act on the signal, in words. "unknown": its document names no party. "no operator": it has no
   * document.
   */
  readonly actedOnBy: string;
  /** The day on which `document` and `actedOnBy` were looked up, as YYYY-MM-DD. */
  readonly read: string;
}

const read = "2026-11-22";

/** All signals, in the order in which `Preference.by` lists their statements. */
export const signals: readonly Signal[] = Object.freeze(
  (
    [
      {
        name: "content-usage",
        title: "Content-Usage",
        state: "draft",
        document:
          "draft-ietf-aipref-attach-05 (August 2026) and draft-ietf-aipref-vocab-08 (September 2026), an IETF working group",
        actedOnBy: "unknown",
        read,
      },
      {
        name: "content-signal",
        title: "Content-Signal",
        state: "in-use",
        document:
          "Cloudflare's Content Signals Policy; draft-romm-aipref-contentsignals-00, an individual draft, has expired",
        actedOnBy: "Cloudflare's own /crawl since 2026-08-31; Google does not",
        read,
      },
      {
        name: "control-token",
        title: "User-agent: Google-Extended …",
        state: "in-use",
        document: "documentation of the operators, named in each row of controlTokens",
        actedOnBy: "the operator of each token",
        read,
      },
      {
        name: "policy-token",
        title: "User-agent: (a purpose's token)",
        state: "draft",
        document:
          "draft-kelley-aipref-training-preference-signal-00 (2026-10-30), an individual draft; its token is reported as __usage_ai-training",
        actedOnBy: "unknown; Google announced that it intends to support it",
        read,
      },
      {
        name: "license",
        title: "License, Link rel=license",
        state: "final",
        document: "RSL 1.0 (2025-12-10)",
        actedOnBy: "licence servers",
        read,
      },
      {
        name: "tdm",
        title: "TDM-Reservation, TDM-Policy",
        state: "final",
        document: "TDM Reservation Protocol, a W3C community group's report",
        actedOnBy: "tools for the text and data mining exception of EU law",
        read,
      },
      {
        name: "bing",
        title: "noarchive, nocache",
        state: "in-use",
        document: "Bing's blog (September 2023)",
        actedOnBy: "Bing",
        read,
      },
      {
        name: "noai",
        title: "noai, noimageai",
        state: "unspecified",
        document: "none",
        actedOnBy: "no operator",
        read,
      },
    ] satisfies Signal[]
  ).map((signal) => Object.freeze(signal)),
);

/** The names of all signals. */
export const signalNames: readonly SignalName[] = Object.freeze(signals.map(({ name }) => name));
