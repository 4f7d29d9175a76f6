// Reads an access log and a folder of saved robots.txt files, and prints every request that its robots.txt does not allow.
import { createReadStream } from "node:fs";
import { createSavedRobots, decideStream } from "robots-stream";

const [log, folder] = process.argv.slice(2);
const robots = createSavedRobots(folder); // createRobotsClient() of @robots-stream/fetch fetches from the origins instead
const input = createReadStream(log);
const decisions = decideStream({ input, robots, agentField: "user_agent", base: "https://shop.example" });
for await (const batch of decisions) {
  for (const { record, agent, url, allowed, rule, line } of batch) {
    if (allowed === false) console.log(`${record.time} ${agent} ${url} (line ${line}, ${rule})`);
  }
}
console.log(`${decisions.summary.decided} requests, ${decisions.summary.rejects} rejects`);
