// Servers on loopback for tests, which send the bytes that they are given, and certificates for them.
export { type CertificateOptions, createCertificate } from "./certificate.ts";
export { type FtpReply, type FtpScript, type RawFtpServer, startFtpServer } from "./ftp-server.ts";
export {
  type RawReply,
  type RawRequest,
  type RawServer,
  closedPort,
  responseOf,
  startRawServer,
} from "./raw-server.ts";
