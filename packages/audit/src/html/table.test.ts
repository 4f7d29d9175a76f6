// Tests how cells shorten long texts.
import { codeOf } from "./table.ts";
import { expect, test } from "vitest";

test("a long path is cut in its middle, and its title has the whole text", () => {
  const path = `/${"a".repeat(60)}/${"b".repeat(60)}/end.html?x="<1>"`;
  const { text } = codeOf(path, 41, "shop.example");
  const [, title, shown] = /^<code title="([^"]*)">shop\.example(.*)<\/code>$/.exec(text)!;
  expect(title).toBe(path.replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"));
  expect(shown).toMatch(/^\/a{19}…b+\/end\.html\?x=&quot;&lt;1&gt;&quot;$/);
  expect(codeOf("/short", 41).text).toBe("<code>/short</code>");
  expect(codeOf("x".repeat(5_000), 41).text.length).toBeLessThan(2_100);
  expect(codeOf(`/\u202e${"x".repeat(50)}`, 41).text).not.toContain("\u202e");
});
