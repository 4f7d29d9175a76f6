// The public names of @robots-stream/preferences.
export { PreferencesError, type PreferencesErrorCode } from "./errors.ts";
export { pageValuesOf } from "./page-values.ts";
export { type Preferences, type PreferencesOptions, createPreferences } from "./preferences.ts";
export { sentencesOf } from "./sentences.ts";
export { type Signal, signalNames, signals } from "./signals.ts";
export type {
  Category,
  PageValues,
  Preference,
  PreferenceValue,
  Reason,
  SignalName,
  StatementScope,
  Usage,
  UseLimit,
  UseToken,
} from "./types.ts";
export { type PolicyTokenDraft, controlTokens, policyTokenDrafts, policyTokens } from "./use-tokens.ts";
export { type VocabularyRow, vocabulary } from "./vocabulary.ts";
