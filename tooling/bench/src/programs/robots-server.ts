// Runs a server on a free loopback port that answers every request with the same robots.txt of 2 KB. Prints its port on stdout.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createFilesOf } from "../data/robots-files.ts";

const [file = ""] = createFilesOf(2048, 1, 1);
const server = createServer((_request, response) => {
  response.writeHead(200, {
    "content-type": "text/plain",
    "content-length": Buffer.byteLength(file),
    connection: "close",
  });
  response.end(file);
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
// The server exits with its parent process.
process.stdin.resume().on("end", () => process.exit(0));
