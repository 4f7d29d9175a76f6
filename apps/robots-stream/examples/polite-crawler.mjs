// A polite crawler: URLs in, pages out. It loads robots.txt first, obeys it, and waits between two requests to one origin.
import { setTimeout as wait } from "node:timers/promises";
import { createRobotsClient } from "@robots-stream/fetch";
import { parseTarget } from "@robots-stream/url";

const name = "examplebot";
const headers = { "user-agent": `${name}/1.0 (+https://example.com/bot)` };

/** Yields `{ url, page }` for each URL that was fetched, and `{ url, reason }` for each other URL. */
export async function* crawl(urls, robots, leastPauseSeconds = 1) {
  const nextRequest = new Map();
  for (const url of urls) {
    const { origin, target } = parseTarget(url) ?? {};
    if (origin === undefined) {
      yield { url, reason: "not a URL of the web" };
      continue;
    }
    const loaded = await robots.load(origin);
    const { allowed, because, rule } = loaded.matcherOf(name).decideTarget(target);
    if (!allowed) {
      yield { url, reason: rule === undefined ? because : `line ${rule.line}, ${rule.type}: ${rule.pattern}` };
      continue;
    }
    await wait(Math.max(0, (nextRequest.get(origin) ?? 0) - Date.now()));
    const response = await fetch(url, { headers, redirect: "manual" }).catch((error) => error);
    const pause = Math.max(leastPauseSeconds, loaded.paceOf(name).crawlDelay?.seconds ?? 0);
    nextRequest.set(origin, Date.now() + pause * 1000);
    yield response instanceof Error ? { url, reason: response.message } : { url, page: await response.text() };
  }
}

const [program, ...urls] = process.argv.slice(1);
if (import.meta.filename === program) {
  const robots = createRobotsClient({ userAgent: headers["user-agent"] });
  for await (const { url, page, reason } of crawl(urls, robots)) console.log(url, page?.length ?? reason);
  await robots.close();
}
