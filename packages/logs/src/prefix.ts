// A line of a text log behind what a container runtime or syslog puts in front of it in, the line of the server out.

const instant = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)`;
const syslogTime = String.raw`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d`;
const program = String.raw`[\w./-]{1,100}`;

const prefixes: readonly RegExp[] = [
  // CRI, as Kubernetes has it: `2026-11-21T06:55:09.391287654Z stdout F `.
  new RegExp(String.raw`^${instant} (?:stdout|stderr) [FP](?::\S{0,100})? `),
  // Syslog (RFC 3164), perhaps with a priority: `Mar 12 00:00:03 web1 nginx[12]: `.
  new RegExp(String.raw`^(?:<\d{1,3}>)?(?:${syslogTime}|${instant}) [\w.:-]{1,255} ${program}(?:\[\d{1,10}\])?: `),
  // Syslog (RFC 5424) without structured data: `<134>1 2026-11-21T06:55:09Z web1 nginx 12 - - `.
  new RegExp(String.raw`^<\d{1,3}>1 ${instant} [\w.:-]{1,255} ${program} \S{1,128} \S{1,32} - `),
];

/** Longer prefixes are not looked for. */
const longest = 1_024;

/** The line that the server wrote; the line itself where nothing is in front of it. */
export function withoutPrefix(line: string): string {
  const start = line.slice(0, longest);
  for (const prefix of prefixes) {
    const found = prefix.exec(start);
    if (found !== null) return line.slice(found[0].length);
  }
  return line;
}
