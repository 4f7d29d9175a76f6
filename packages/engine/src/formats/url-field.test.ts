// Tests the error message for a record without the requested field, and which fields are considered to be the URL, or its path and host.
import { expect, test } from "vitest";
import { missingUrlField } from "./url-field.ts";
import { likelyUrlField, likelyUrlParts } from "./likely-field.ts";

test("the requested name is shown without terminal escape sequences", () => {
  expect(missingUrlField("stdin", "\u009b31m\u202e", ["a"], { urlPlace: undefined, byPlace: true }).message).toContain(
    'no field "\\x9b31m\\u202e"',
  );
});

const url = "https://a.example/x";
test.each<[what: string, record: unknown, field: string | undefined]>([
  ["at the top", { time: "2026", seite: url }, "seite"],
  ["nested", { time: "2026", httpRequest: { requestUrl: url, userAgent: "x" } }, "httpRequest.requestUrl"],
  ["deeper", { a: { b: { c: { d: url } } } }, "a.b.c.d"],
  ["a name that is usual for a URL", { page: { self: url, full_url: url } }, "page.full_url"],
  ["not the referrer", { http: { referer: url }, request: { target: url } }, "request.target"],
  ["the least nested", { a: { url }, b: url }, "b"],
  ["names that contain a dot", { "a.b": url, c: { "d.e": url } }, undefined],
  ["in a list", { a: [url] }, undefined],
  ["no URL", { url: "a b", host: "a.example" }, undefined],
  ["no object", [url], undefined],
])("%s", (_what, record, field) => {
  expect(likelyUrlField(JSON.stringify(record))).toBe(field);
});

test("a text that is not JSON, is nested too deeply or has too many values has no likely field", () => {
  expect(likelyUrlField("{")).toBeUndefined();
  expect(likelyUrlField(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`)).toBeUndefined();
  expect(
    likelyUrlField(JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [at, url])))),
  ).toBeUndefined();
});

test.each<[what: string, record: unknown, parts: object | undefined]>([
  ["apart", { time: "/2026", vhost: "a.example", uri: "/x" }, { path: "uri", host: "vhost" }],
  ["nested", { req: { Host: "a.example:80", path: "/x" } }, { path: "req.path", host: "req.Host" }],
  ["at several levels", { host: "a.example", req: { url: "/x" } }, { path: "req.url", host: "host" }],
  ["a path alone", { request_uri: "/x", hostname: "web 1" }, { path: "request_uri", host: undefined }],
  ["never an object, a number or a time", { path: { x: 1 }, url: 5, uri: "2026-01-01" }, undefined],
  ["not the referrer's", { referer_path: "/x" }, undefined],
  ["no object", "/x", undefined],
])("path and host: %s", (_what, record, parts) => {
  expect(likelyUrlParts(JSON.stringify(record))).toEqual(parts);
});
