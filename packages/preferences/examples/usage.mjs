// The example of the README.
import { parseRobotsTxt } from "@robots-stream/core";
import { createPreferences, pageValuesOf, sentencesOf } from "@robots-stream/preferences";

const robots = parseRobotsTxt(`User-agent: *
Content-Signal: search=yes, ai-train=no
Content-Usage: /open/ train-ai=y
Disallow: /private/
`);
const preferences = createPreferences(robots, "GPTBot");

const usage = preferences.usageAt("https://example.com/open/1");
console.log(usage["train-ai"].value); // the most restrictive of all statements
console.log(usage["train-ai"].by.map(({ signal, value, line }) => `${signal}: ${value}, line ${line}`));
for (const sentence of sentencesOf(usage)) console.log(sentence);

// Together with the preferences of the response.
const page = pageValuesOf([
  ["Content-Usage", "ai-use=n"],
  ["Link", '<https://example.com/license.xml>; rel="license"'],
]);
const { "ai-input": aiInput, licences } = preferences.usageAt("/open/1", page);
console.log(aiInput.value, licences);
