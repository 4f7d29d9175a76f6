// Tests logs whose scheme is not that of `--base`: behind a proxy that ends TLS, a server logs port 80.
import { expect, test } from "vitest";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runHere } from "./here.ts";
import { makeTestFolder } from "./folder.ts";

const agent = "Mozilla/5.0+(compatible;+bingbot/2.0)";

/** A log of IIS behind a proxy, with or without the field with the host. */
function logOf(host: string | undefined): string {
  const [name, value] = host === undefined ? ["", ""] : [" cs-host", ` ${host}`];
  const lines = [3, 4].map(
    (second) => `2024-03-12 00:00:0${second} GET /private/x 80 203.0.113.4 ${agent}${value} 200`,
  );
  return `#Fields: date time cs-method cs-uri-stem s-port c-ip cs(User-Agent)${name} sc-status\n${lines.join("\n")}\n`;
}

/** A folder with the robots.txt of https, observed before and after the requests; and a file without a date. */
function robotsOf(): { readonly history: string; readonly file: string } {
  const folder = makeTestFolder();
  for (const time of ["2024-03-10T00:00:00Z", "2024-03-13T00:00:00Z"]) {
    writeFileSync(
      join(folder, `https@shop.example@${time.replaceAll(":", "")}.txt`),
      "User-agent: *\nDisallow: /private\n",
    );
  }
  const file = join(folder, "robots.txt");
  writeFileSync(file, "User-agent: *\nDisallow: /private\n");
  return { history: folder, file };
}

test("a port without a host says nothing about the scheme of --base", async () => {
  const { history } = robotsOf();
  const args = ["audit", "-", "--base", "https://shop.example", "--robots-history", history];
  const { code, stdout, stderr } = await runHere(args, logOf(undefined));
  expect([code, stderr.includes("http://shop.example")]).toEqual([0, false]);
  expect(stdout).toMatch(/^shop\.example ·/);
  expect(stdout).toContain("crossed disallow: /private");
});

test.each(["--robots", "--robots-history"])(
  "%s: an audit assumes the robots.txt of the other scheme, and says so",
  async (flag) => {
    const { history, file } = robotsOf();
    const base = ["--base", "https://shop.example"];
    const audit = ["audit", "-", ...base, flag, flag === "--robots" ? file : history];
    const { code, stdout, stderr } = await runHere(audit, logOf("shop.example"));
    expect(code).toBe(0);
    expect(stdout).toContain("2  requests were judged by a robots.txt that is not proven to have been in force");
    expect(stdout).not.toContain("crossed");
    expect(stderr).toContain(
      "http://shop.example: its robots.txt is not known; the audit assumes that of https://shop.example",
    );
    expect(stderr).toContain("--base host:shop.example=https://shop.example");
    const cured = await runHere([...audit, "--base", "host:shop.example=https://shop.example"], logOf("shop.example"));
    expect(cured.stdout).toMatch(/^shop\.example ·/);
    expect(cured.stdout.includes("crossed")).toBe(flag === "--robots-history");
  },
);

test("--as-of-record decides by the other scheme's robots.txt, as an assumption", async () => {
  const { history } = robotsOf();
  const args = ["--agent-field", "user_agent", "--robots-history", history, "--as-of-record"];
  const { code, stdout } = await runHere(args, logOf("shop.example"));
  expect(code).toBe(0);
  expect(stdout).toMatch(/"allowed":false.*"basis":"assumed"/);
});

test("the other scheme's robots.txt is not that of a port, nor of another host", async () => {
  const { history } = robotsOf();
  for (const host of ["shop.example:8080", "www.shop.example"]) {
    const { stdout } = await runHere(["audit", "-", "--robots-history", history], logOf(host));
    expect(stdout).toContain("No request was judged");
  }
});

test("an audit names the host whose robots.txt is not known, and the flag that makes it another name of --base", async () => {
  const { file } = robotsOf();
  const judged = ["audit", "-", "--base", "https://shop.example", "--robots", file];
  const { code, stdout, stderr } = await runHere(judged, logOf("www.shop.example"));
  expect(code).toBe(0);
  expect(stdout).toContain("No request was judged: the robots.txt of http://www.shop.example is not known.");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "requests cannot be judged: the robots.txt of http://www.shop.example is not known; --base host:www.shop.example=ORIGIN says that its requests are those of ORIGIN",
  );
  const cure = "--base host:www.shop.example=https://shop.example";
  expect(stderr).toContain("--base https://shop.example: no request of a crawler went there; the log names http://www");
  expect(stderr).toContain(cure);
  const cured = await runHere([...judged, ...cure.split(" ")], logOf("www.shop.example"));
  expect(cured.stdout).toMatch(/^shop\.example ·.*\n(?:.*\n)*?Judged by one robots\.txt/);
  expect(cured.stderr).toBe("");
});

test("of several hosts without a robots.txt, the busiest is named; a host with one keeps stderr silent", async () => {
  const { file } = robotsOf();
  const judged = ["audit", "-", "--base", "http://shop.example", "--robots", file];
  const logs = ["b.example", "shop.example", "a.example"].map((host) => logOf(host)).join("") + logOf("b.example");
  const { stdout, stderr } = await runHere(judged, logs);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "the robots.txt files of 2 origins are not known, the busiest is http://b.example; --base host:b.example=ORIGIN",
  );
  expect(stderr).toBe("");
});
