// Runs a package registry on loopback that accepts and serves published packages, and redirects requests for other packages to another
// registry.
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The document that npm sends to publish a version of a package. */
export interface Published {
  readonly name: string;
  readonly access?: string;
  readonly "dist-tags": Readonly<Record<string, string>>;
  readonly versions: Readonly<
    Record<string, { readonly dependencies?: Readonly<Record<string, string>>; dist: { tarball: string } }>
  >;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

/** A running registry. */
export interface LoopbackRegistry {
  /** The URL, with a slash at the end. */
  readonly url: string;
  /** The published documents by package name. */
  readonly published: ReadonlyMap<string, Published>;
  readonly close: () => Promise<void>;
}

/** Starts a registry on a free port. `elsewhere` is the URL of the registry for all other packages. */
export async function startRegistry(elsewhere: string): Promise<LoopbackRegistry> {
  const published = new Map<string, Published>();
  let url = "";
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = decodeURIComponent((request.url ?? "/").slice(1));
      const [name = "", file] = path.split("/-/");
      const known = published.get(name);
      if (request.method === "PUT") {
        const document = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Published;
        for (const version of Object.values(document.versions)) {
          version.dist.tarball = `${url}${name}/-/${new URL(version.dist.tarball).pathname.split("/").at(-1)}`;
        }
        published.set(name, document);
        response.writeHead(201, { "content-type": "application/json" }).end("{}");
      } else if (known !== undefined && file !== undefined) {
        const [attachment] = Object.values(known._attachments);
        response.writeHead(200).end(Buffer.from(attachment?.data ?? "", "base64"));
      } else if (known !== undefined) {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ ...known, _attachments: undefined }));
      } else if (/^(?:@robots-stream\/|robots-stream$)/u.test(name)) {
        response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not found"}');
      } else {
        response.writeHead(307, { location: new URL(request.url ?? "/", elsewhere).href }).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    published,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
