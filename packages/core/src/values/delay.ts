// Reads the value of a Crawl-delay line: a decimal number of seconds, such as "5", "0.5" or ".5".

/** The seconds of a delay, of any size; undefined for a value that is not a decimal number. */
export function delaySecondsOf(value: string): number | undefined {
  return /^\d*(?:\.\d+|\d)$/.test(value) ? Number(value) : undefined;
}
