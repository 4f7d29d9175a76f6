// Tests the URLs of requests, with the origins that a user gives for hosts.
import { expect, test } from "vitest";
import { type Base, urlOf } from "./url.ts";

const hosts = new Map<string, Base>([
  ["shop.example", { scheme: "https", host: "www.shop.example" }],
  ["shop.example:8080", { scheme: "http", host: "api.shop.example:81" }],
  ["b:443", { scheme: "https", host: "b.example" }],
]);

test.each<[host: string | undefined, scheme: "http" | "https" | undefined, target: string, url: string]>([
  ["shop.example", undefined, "/a", "https://www.shop.example/a"],
  ["Shop.Example.", undefined, "/a", "https://www.shop.example/a"],
  ["shop.example.:8080", undefined, "/a", "http://api.shop.example:81/a"],
  ["shop.example.:9", undefined, "/a", "https://www.shop.example/a"],
  ["b.", "https", "/a", "https://b.example/a"],
  ["b.", "http", "/a", "http://b./a"],
  [undefined, undefined, "http://shop.example./a", "https://www.shop.example/a"],
  [undefined, undefined, "http://shop.example.:8080/a", "http://api.shop.example:81/a"],
  ["shop.example..", undefined, "/a", "https://shop.example../a"],
  ["other.example.", undefined, "/a", "https://other.example./a"],
])("%s, %s, %s", (host, scheme, target, url) => {
  expect(urlOf({ host, scheme, target }, undefined, hosts)).toBe(url);
});
