// Redirects between http and https are reported in both directions, and followed.
import { afterEach, expect, test } from "vitest";
import { createRobotsClient } from "../client/client.ts";
import { schemeChangesOf } from "./hops.ts";
import { type RawServer, createCertificate, responseOf, startRawServer } from "@robots-stream/raw-servers";

const servers: RawServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.close()));
});

test("redirects from http to https, and from https to http, are followed and reported", async () => {
  const tls = createCertificate();
  const plain = await startRawServer((socket, { path }) =>
    socket.end(path === "/end" ? responseOf(200, {}, "x") : responseOf(301, { location: `${secure.origin}${path}2` })),
  );
  const secure = await startRawServer(
    (socket, { path }) =>
      socket.end(
        path === "/robots.txt2" ? responseOf(200, {}, "y") : responseOf(302, { location: `${plain.origin}/end` }),
      ),
    tls,
  );
  servers.push(plain, secure);
  const client = createRobotsClient({ allowPrivate: true, ca: tls.cert });
  const up = await client.load(plain.origin);
  expect(up.stored.code).toBe("ok");
  expect(schemeChangesOf(up.stored.hops)).toEqual([
    { change: "upgrade", from: `${plain.origin}/robots.txt`, to: `${secure.origin}/robots.txt2` },
  ]);
  const down = await client.load(secure.origin);
  expect([down.stored.code, Buffer.from(down.stored.body ?? []).toString()]).toEqual(["ok", "x"]);
  expect(schemeChangesOf(down.stored.hops)).toEqual([
    { change: "downgrade", from: `${secure.origin}/robots.txt`, to: `${plain.origin}/end` },
  ]);
  await client.close();
});

test("no change of the scheme, and two changes in one exchange", () => {
  expect(schemeChangesOf([])).toEqual([]);
  const hop = (url: string) => ({ url, status: 301 });
  expect(schemeChangesOf([hop("http://a/"), hop("http://b/"), hop("http://c/")])).toEqual([]);
  expect(schemeChangesOf([hop("http://a/"), hop("https://a/"), hop("http://a/")]).map(({ change }) => change)).toEqual([
    "upgrade",
    "downgrade",
  ]);
});
