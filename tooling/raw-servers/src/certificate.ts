// Makes a self-signed certificate and its key as PEM (RFC 5280), for test servers over TLS.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** The content of the certificate. */
export interface CertificateOptions {
  /** DNS names. Default: none. */
  readonly names?: readonly string[];
  /** IPv4 addresses. Default: "127.0.0.1". */
  readonly addresses?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

const dayMs = 86_400_000;

/** Makes a key (P-256) and a certificate for it. */
export function createCertificate(options: CertificateOptions = {}): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid("2a8648ce3d040302")); // ecdsa-with-SHA256
  const name = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from("robots-stream test")))));
  const names = [
    ...(options.names ?? []).map((text) => der(0x82, Buffer.from(text, "latin1"))),
    ...(options.addresses ?? ["127.0.0.1"]).map((text) => der(0x87, Buffer.from(text.split(".").map(Number)))),
  ];
  const extensions = [
    sequence(oid("551d13"), der(0x01, Buffer.from([0xff])), der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
    ...(names.length === 0 ? [] : [sequence(oid("551d11"), der(0x04, sequence(...names)))]),
  ];
  const notBefore = options.notBefore ?? new Date(Date.now() - dayMs);
  const notAfter = options.notAfter ?? new Date(Date.now() + dayMs);
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = certificate.toString("base64").replace(/.{1,64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));
}
