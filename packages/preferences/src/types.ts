// The types for preferences about the use of content: signals, categories, reasons, usage.

/** The name of a signal that this package reads. The option `signals` of `PreferencesOptions` takes these names. */
export type SignalName =
  | "content-usage"
  | "content-signal"
  | "control-token"
  | "policy-token"
  | "license"
  | "tdm"
  | "bing"
  | "noai";

/**
 * A use of content. `train-ai`: training a model. `search`: finding content and linking to it. `ai-input`: giving content to a model that
 * answers questions from it, such as grounding.
 */
export type Category = "train-ai" | "search" | "ai-input";

/** The value of a preference. `"unknown"`: the use is neither allowed nor disallowed. */
export type PreferenceValue = "allow" | "disallow" | "unknown";

/**
 * The place of a statement. `"named"`: in the group of robots.txt that names the crawler (or the token). `"everybody"`: in the group for
 * `*`. `"file"`: in robots.txt outside of groups. `"header"`: in the response's Content-Usage field. `"page"`: in a robots directive or a
 * TDM value for the page; `PageValues` does not record whether it comes from a header or a meta tag.
 */
export type StatementScope = "named" | "everybody" | "file" | "header" | "page";

/** One statement of one signal about one category. */
export interface Reason {
  readonly signal: SignalName;
  readonly value: PreferenceValue;
  /** The statement as written: `train-ai=n`, `disallow: /news`, `noarchive`; cut at 200 characters. */
  readonly statement: string;
  /** The line of robots.txt, from 1; absent for statements of the response and the page. */
  readonly line?: number;
  /**
   * The path pattern to which the statement is limited, in the form that is compared with targets, cut at 200 characters; absent for a
   * statement without a pattern.
   */
  readonly path?: string;
  readonly scope: StatementScope;
  /** The control token or policy token that the statement is about; absent for statements of other signals. */
  readonly productToken?: string;
  /** The address of the policy that a TDM reservation names. */
  readonly policy?: string;
  /** Why the value is unknown although there is a statement. */
  readonly because?: "not-a-dictionary" | "unknown-value" | "partial" | "no-effect";
}

/** The preference about one category, and the statements that it comes from. */
export interface Preference {
  /** The most restrictive of the statements' values: any disallow, else any allow, else unknown. */
  readonly value: PreferenceValue;
  /** The statements, at most 50. If there are any, at least one of them has the value `value`. */
  readonly by: readonly Reason[];
  /** The number of statements that `by` leaves out; absent if it leaves out none. */
  readonly others?: number;
}

/** The value of the key `use` of Content-Signal: how much of the content may be shown again. */
export interface UseLimit {
  /** The most restrictive value of all statements about `use`, including those beyond the 50 in `by`. */
  readonly value: "immediate" | "reference" | "full";
  readonly by: readonly Omit<Reason, "value">[];
}

/** The preferences about the use of one resource by one crawler. */
export interface Usage extends Readonly<Record<Category, Preference>> {
  /** Absent if no Content-Signal has the key `use` with a known value. The limit does not change the preference of any category. */
  readonly use?: UseLimit;
  /**
   * The licences that the site names: absolute URLs of at most 2,000 characters, each once, at most 50. Licences in robots.txt come first,
   * in line order, then licences of the page.
   */
  readonly licences: readonly string[];
}

/** A name in robots.txt that controls a use of content and that no crawler sends in requests. */
export interface UseToken {
  readonly productToken: string;
  /** The product tokens of the crawlers to which the token's preferences apply; `"*"` means all crawlers. */
  readonly crawlers: readonly string[];
  readonly categories: readonly Category[];
  /** Whether the groups for `*` apply to the token if the file does not name the token. */
  readonly boundByEverybody: boolean;
  /** Default: `"control-token"`. */
  readonly signal?: "control-token" | "policy-token";
  readonly sources: readonly string[];
}

/** The preferences of the response and of the page itself, as values. */
export interface PageValues {
  /** The lines of the response's Content-Usage field, one character per byte. */
  readonly contentUsage?: readonly string[] | undefined;
  /** The values of TDM-Reservation, as a header or a meta tag. */
  readonly tdmReservation?: readonly string[] | undefined;
  /** The values of TDM-Policy, as a header or a meta tag. */
  readonly tdmPolicy?: readonly string[] | undefined;
  /** The addresses of links with `rel=license`. */
  readonly licences?: readonly string[] | undefined;
  /**
   * The robots directives that apply to the crawler, from `X-Robots-Tag` and meta tags: `noarchive`, `nocache`, `noai`, `noimageai`. Other
   * directives have no effect here.
   */
  readonly directives?: readonly string[] | undefined;
}
