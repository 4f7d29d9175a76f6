// Lines of users' own patterns in, the addresses, hosts and URLs of their requests out.
import { expect, test } from "vitest";
import { type LineLogFormat, type LogRequest, logFormatOf, urlOf } from "./index.ts";

function requestOf(pattern: string, line: string): LogRequest {
  return (logFormatOf(pattern, "own") as LineLogFormat).createParser()(line) as LogRequest;
}

test.each<[pattern: string, line: string, client: string | undefined, clients: string | undefined]>([
  ["%h %U", "192.0.2.1 /", "192.0.2.1", undefined],
  ["%{X-Forwarded-For}i %h %U", "192.0.2.1, 192.0.2.2 10.0.0.1 /", "192.0.2.1", "192.0.2.1, 192.0.2.2, 10.0.0.1"],
  ["%{X-Forwarded-For}i %h %U", "- 10.0.0.1 /", "10.0.0.1", undefined],
  // The peer's own address is first: nobody can forge it.
  ["%h %U %{X-Forwarded-For}i", "10.0.0.1 / 192.0.2.1", "10.0.0.1", undefined],
  ["%{X-Forwarded-For}i %U", "192.0.2.1 /", "192.0.2.1", undefined],
  ["$proxy_add_x_forwarded_for $uri", "192.0.2.1, 192.0.2.2 /", "192.0.2.1", "192.0.2.1, 192.0.2.2"],
  ["%a:%{remote}p %U", "2001:db8::1:80 /", "2001:db8::1", undefined],
])("%s: %s", (pattern, line, client, clients) => {
  const request = requestOf(pattern, line);
  expect([request.client, request.clients]).toEqual([client, clients]);
});

test.each<[pattern: string, line: string, url: string]>([
  ["$scheme://$host$request_uri", "http://a.example/b?c", "http://a.example/b?c"],
  ["%V %p %U %q", "a.example 80 /b ?c", "http://a.example/b?c"],
  ["$host:$server_port $uri$is_args$args", "a.example:443 /b?c", "https://a.example/b?c"],
  ["$server_name $http_host $request_uri", "_ b.example /", "https://b.example/"],
  ['"%m %U%q %H" %v', '"GET /a b HTTP/1.1" a.example', "https://a.example/a%20b"],
  ["%m|%U|%V", "GET|/a|a.example", "https://a.example/a"],
])("%s: %s", (pattern, line, url) => {
  expect(urlOf(requestOf(pattern, line), undefined)).toBe(url);
});
