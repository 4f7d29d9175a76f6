// Tests the robots.txt URLs of origins, and the error for values that are not origins.
import { describe, expect, test } from "vitest";
import { robotsUrlOf } from "./index.ts";

describe("robotsUrlOf", () => {
  test.each([
    ["https://example.com", "https://example.com/robots.txt"],
    ["http://example.com:8080", "http://example.com:8080/robots.txt"],
    ["ftp://example.com.", "ftp://example.com./robots.txt"],
    ["http://[::1]", "http://[::1]/robots.txt"],
    ["http://xn--a", "http://xn--a/robots.txt"],
  ])("%s", (origin, robotsUrl) => {
    expect(robotsUrlOf(origin)).toBe(robotsUrl);
  });

  test.each([
    "",
    "example.com",
    "https://example.com/",
    "https://example.com/a",
    "https://example.com?",
    "https://example.com#",
    "https://EXAMPLE.com",
    "https://example.com:443",
    "https://user@example.com",
    "http://0x7f.1",
    "http://exämple.com",
    "ws://example.com",
    "null",
    " https://example.com",
  ])("%j is not an origin", (text) => {
    expect(() => robotsUrlOf(text)).toThrow(expect.objectContaining({ code: "ERR_NOT_AN_ORIGIN" }));
  });
});
