// Runs a server on loopback that answers every request with the same robots.txt, unless the requested host name selects a failure. Uses TLS
// if its arguments name a key and a certificate. Prints its port on stdout and exits when stdin ends.
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";

const [key, cert] = process.argv.slice(2);
const body = `User-agent: *\n${Array.from({ length: 70 }, (_, i) => `Disallow: /section-${i}/private\n`).join("")}`;
const answer: Parameters<typeof createHttpServer>[1] = (request, response) => {
  const { host = "" } = request.headers;
  if (host.startsWith("dead-")) return undefined;
  if (host.startsWith("closed-")) return void request.socket.destroy();
  if (host.startsWith("http-")) return void response.writeHead(Number(host.slice(5, 8)), { connection: "close" }).end();
  if (host.startsWith("incomplete-")) {
    response.writeHead(200, { "content-length": body.length, connection: "close" });
    return void response.write(body.slice(9), () => request.socket.end());
  }
  response.writeHead(200, { "content-type": "text/plain", "content-length": body.length, connection: "close" });
  response.end(body);
};
const server =
  key === undefined || cert === undefined ? createHttpServer(answer) : createHttpsServer({ key, cert }, answer);
server.listen(0, "127.0.0.1", 4_096, () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.resume().on("end", () => process.exit());
