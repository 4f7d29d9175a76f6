// Copies NDJSON from stdin to stdout, with only JSON.parse and JSON.stringify per record.
let rest = "";
process.stdin.setEncoding("latin1");
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  let rows = "";
  for (const line of lines) rows += `${JSON.stringify(JSON.parse(line))}\n`;
  process.stdout.write(rows, "latin1");
}
if (rest !== "") process.stdout.write(`${JSON.stringify(JSON.parse(rest))}\n`, "latin1");
