// Finds the operator of the page or app from which a visitor came, by the scheme and host of a Referer header.

/** Hosts of search engines and of services that answer questions, by operator. Subdomains of these hosts have the same operator. */
const hostsByOperator: Readonly<Record<string, readonly string[]>> = {
  OpenAI: ["chatgpt.com", "chat.openai.com"],
  Perplexity: ["perplexity.ai"],
  Anthropic: ["claude.ai"],
  Microsoft: ["bing.com", "copilot.microsoft.com", "copilot.cloud.microsoft"],
  DuckDuckGo: ["duckduckgo.com"],
  Brave: ["search.brave.com"],
  Baidu: ["baidu.com"],
  Yahoo: ["search.yahoo.com", "search.yahoo.co.jp"],
  Meta: ["meta.ai", "facebook.com", "instagram.com", "threads.net", "threads.com"],
  Mistral: ["chat.mistral.ai"],
  DeepSeek: ["chat.deepseek.com"],
  "You.com": ["you.com"],
  Kagi: ["kagi.com"],
  Qwant: ["qwant.com"],
  Mojeek: ["mojeek.com", "mojeek.co.uk"],
  Naver: ["search.naver.com"],
  Seznam: ["search.seznam.cz"],
  Sogou: ["sogou.com"],
  Huawei: ["petalsearch.com"],
  LinkedIn: ["linkedin.com", "lnkd.in"],
  Pinterest: ["pinterest.com"],
  Reddit: ["reddit.com"],
  X: ["t.co", "x.com", "twitter.com"],
};

const operators = new Map(
  Object.entries(hostsByOperator).flatMap(([operator, hosts]) => hosts.map((host) => [host, operator] as const)),
);

/**
 * Hosts of Google's search and related services. Hosts of mail and documents are not included, because users write the links in mail and
 * documents.
 */
const googleHost = /^(?:(?:www|m|news|images|lens|gemini|scholar)\.)?google\.(?:com?\.)?[a-z]{2,3}$/;
const yandexHost = /^(?:(?:www|m)\.)?(?:yandex\.(?:com\.)?[a-z]{2,3}|ya\.ru)$/;

/** Returns the name of the operator, as in the registry of crawlers; undefined for the page of any other site. */
export function operatorOfReferrer(origin: string): string | undefined {
  const [, scheme = "", host = ""] = /^(https?|android-app):\/\/([^/:?#@]+)/.exec(origin.toLowerCase()) ?? [];
  if (scheme === "android-app") return host === "com.google.android.googlequicksearchbox" ? "Google" : undefined;
  if (googleHost.test(host)) return "Google";
  if (yandexHost.test(host)) return "Yandex";
  for (let rest = host; rest !== ""; rest = rest.includes(".") ? rest.slice(rest.indexOf(".") + 1) : "") {
    const operator = operators.get(rest);
    if (operator !== undefined) return operator;
  }
  return undefined;
}

/** All names that `operatorOfReferrer` can return. A test compares them with the registry. */
export const referringOperators: readonly string[] = [...Object.keys(hostsByOperator), "Google", "Yandex"];
