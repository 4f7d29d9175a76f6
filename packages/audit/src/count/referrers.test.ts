// The operators that sent visits, by Referer header.
import { expect, test } from "vitest";
import { operatorOfReferrer } from "./referrers.ts";

test.each<[origin: string, operator: string | undefined]>([
  ["https://www.google.com", "Google"],
  ["https://google.co.uk", "Google"],
  ["https://www.google.com.br/", "Google"],
  ["android-app://com.google.android.googlequicksearchbox", "Google"],
  ["android-app://com.example", undefined],
  ["https://mail.google.com", undefined],
  ["https://www.google.com.evil.example", undefined],
  ["https://evilgoogle.com", undefined],
  ["https://chatgpt.com", "OpenAI"],
  ["HTTPS://WWW.Perplexity.AI", "Perplexity"],
  ["https://notchatgpt.com", undefined],
  ["https://www.bing.com:443", "Microsoft"],
  ["https://yandex.ru", "Yandex"],
  ["https://old.reddit.com", "Reddit"],
  ["https://user@chatgpt.com", undefined],
  ["https://shop.example", undefined],
  ["ftp://bing.com", undefined],
  ["-", undefined],
  ["", undefined],
])("%s: %s", (origin, operator) => {
  expect(operatorOfReferrer(origin)).toBe(operator);
});
