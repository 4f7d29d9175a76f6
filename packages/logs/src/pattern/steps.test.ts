// Tests the fields of patterns as in servers' configurations, with the texts that end the fields, and the positions of mistakes.
import { expect, test } from "vitest";
import { isPatternProblem, logPatternsOf, problemWithoutUrl, stepsOf } from "./steps.ts";

/** A pattern for readers of bytes, with each field as <name>. */
function shown(pattern: string): string {
  const steps = stepsOf(pattern);
  if (isPatternProblem(steps)) return `${steps.code} at ${steps.position}`;
  const plain = logPatternsOf(steps, true).at(-1);
  return (plain?.start ?? "") + (plain?.steps ?? []).map(({ field, end }) => `<${field}>${end}`).join("");
}

const combined = '<client> - <user> [<time>] "<method> <target> <protocol>" <status> <bytes> "<referer>" "<userAgent>"';
test.each([
  ["Apache's combined", '%h - %u %t "%r" %>s %b "%{Referer}i" "%{User-agent}i"', combined],
  [
    "nginx's combined",
    '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
    combined,
  ],
  ["vhost_combined", "%v:%p %h %l %u %t", "<host> <client> <other> <user> [<time>]"],
  ["other fields", "%h %D %{Cookie}i|%s", "<client> <other> <other>|<status>"],
  ["conditions", "%!200,304m %<s%%", "<method> <status>%"],
  ["path and query", '"%m %U%q %H"', '"<method> <target> <protocol>"'],
  ["a path alone, and its query", "%U %q %s", "<target> <markedQuery> <status>"],
  ["a whole URL in parts", "$scheme://$host$request_uri $status", "<scheme>://<host>/<target> <status>"],
  ["several clients", "$http_x_forwarded_for $remote_addr $uri", "<client> <peer> <target>"],
  ["client and port", "%h:%{remote}p %r", "<clientAndPort> <method> <target> <protocol>"],
  ["ISO times", "%{%FT%T%z}t %U", "<time> <target>"],
  ["a port implies the scheme", "%V %p %U", "<host> <scheme> <target>"],
  ["Envoy", '[%START_TIME%] "%REQ(:METHOD)% %REQ(:PATH)%"', '[<time>] "<method> <target>"'],
  ["HAProxy", "%ci:%cp [%tr] %ST %{+Q}r", '<clientAndPort> [<time>] <status> "<method> <target> <protocol>"'],
  ["Squid", "%ts.%03tu %6tr %>a %Ss/%03>Hs %rm %ru", "<time> <other> <client> <other>/<status> <method> <target>"],
])("%s", (_what, pattern, steps) => {
  expect(shown(pattern)).toBe(steps);
});

test.each([
  ["%h%u", "ambiguous at 3"],
  ["$status$request", "ambiguous at 8"],
  ["%{User-Agent}i %r", "ambiguous at 1"],
  ["%r %{X-Note}i %s", "ambiguous at 4"],
  ["%r %?", "unknown-directive at 4"],
  ['%h "%Y"', "unknown-directive at 5"],
  ["hello", "no-directive at undefined"],
  ["", "no-directive at undefined"],
])("%j: %s", (pattern, problem) => {
  expect(shown(pattern)).toBe(problem);
});

test("a pattern without a URL", () => {
  const steps = stepsOf("%h %t %s");
  expect(isPatternProblem(steps) || problemWithoutUrl(steps)).toMatchObject({ code: "no-url" });
});
