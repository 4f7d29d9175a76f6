// Lists the shells for which completion scripts exist.

/** The shells. */
export const shells = ["bash", "zsh", "fish"] as const;

/** A shell. */
export type Shell = (typeof shells)[number];
