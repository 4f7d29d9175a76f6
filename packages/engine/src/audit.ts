// The exports for an audit of logs, for the project's own programs only: they change without notice. They load @robots-stream/audit.
export { AuditSink, type AuditSinkOptions, type ClientVerifier } from "./requests/audit-sink.ts";
