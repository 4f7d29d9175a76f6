// Tests which parts of a document count as workflows.
import { expect, test } from "vitest";
import { workflowsOf } from "./workflows.ts";

test("the workflows of a document use this repository's action", () => {
  const workflow = "on: push\njobs:\n  a:\n    steps:\n      - uses: robots-stream/robots-stream@v1\n";
  const other = "inputs:\n  robots: x\n";
  const text = `# x\n\n\`\`\`yaml\n${workflow}\`\`\`\n\n\`\`\`yaml\n${other}\`\`\`\n\n\`\`\`ts\njobs:\n\`\`\`\n`;
  expect(workflowsOf(text)).toEqual([workflow.replace("robots-stream/robots-stream@v1", "./")]);
});
