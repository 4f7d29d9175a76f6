// Patterns as Apache httpd and nginx write them in, fields and the texts that end them out.
import { expect, test } from "vitest";
import { stepsOf } from "./pattern.ts";

/** A pattern's steps, with fields as <name>. */
function shown(pattern: string): string {
  return stepsOf(pattern)
    .map(({ field, end }) => `<${field}>${end}`)
    .join("");
}

const combined = '<client> - <user> [<time>] "<method> <target> <protocol>" <status> <bytes> "<referer>" "<userAgent>"';
test.each([
  ["Apache's combined", '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-agent}i"', combined],
  [
    "nginx's combined",
    '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
    combined,
  ],
  ["vhost_combined", "%v:%p %h %l %u %t", "<host> <client> - <user> [<time>]"],
  ["other fields", "%h %D ${request_time}s %{Host}i %{c}a", "<client> <other> <other>s <other> <client>"],
  ["conditions", "%!200,304{Referer}i %<s%%", "<referer> <status>%"],
])("%s", (_what, pattern, steps) => {
  expect(shown(pattern)).toBe(steps);
});

test.each([
  ["x %h", "a pattern that begins with text"],
  ["%h%u", "fields without text between them"],
])("%s: %s", (pattern, message) => {
  expect(() => stepsOf(pattern)).toThrow(message);
});
