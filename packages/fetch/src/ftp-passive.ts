// The reply to EPSV or PASV → the port of the data connection, or a refusal (RFC 2428 §3, RFC 959 §4.2.2): the one reading of it.
import { RefusedError } from "./failure-codes.ts";

/** The commands that make a server listen. */
export type PassiveCommand = "EPSV" | "PASV";

/** Lower ports belong to services. */
const firstPort = 1_024;

/**
 * One line, the code 229, and one pair of parentheses: in it the port between delimiters. RFC 2428 §3 lets any printable
 * character be the delimiter, the same in all four places; digits and parentheses would leave open where the port ends.
 */
const extended = /^229 [^()\r\n]*\(([!-'*-/:-~])\1\1([1-9][0-9]{0,4})\1\)[^()\r\n]*$/;

/** One line, the code 227, and no digits but those of six numbers, which RFC 1123 §4.1.2.6 has found without parentheses too. */
const tuple = /^227 (?:[^0-9\r\n]*[ (=])?([0-9]{1,3}(?:,[0-9]{1,3}){5})(?:[ ).][^0-9\r\n]*)?$/;

/**
 * The port that a reply names, from 1024 to 65535. An address in it must be `controlHost`, the address of the control
 * connection: a connection goes nowhere else. Throws a `RefusedError` for every other reply.
 */
export function passivePortOf(command: PassiveCommand, reply: string, controlHost: string): number {
  const port = command === "EPSV" ? extendedPortOf(reply) : tuplePortOf(reply, controlHost);
  if (port < firstPort || port > 65_535) throw refused(`the data connection to go to port ${port}`);
  return port;
}

function extendedPortOf(reply: string): number {
  const [, , port] = extended.exec(reply) ?? [];
  if (port === undefined) throw unread("EPSV");
  return Number(port);
}

function tuplePortOf(reply: string, controlHost: string): number {
  const [, text] = tuple.exec(reply) ?? [];
  const numbers = text?.split(",") ?? [];
  // A zero in front makes a number octal for some readers.
  if (numbers.length !== 6 || numbers.some((each) => Number(each) > 255 || String(Number(each)) !== each)) {
    throw unread("PASV");
  }
  if (numbers.slice(0, 4).join(".") !== controlHost) throw refused("the data connection to go to another address");
  return Number(numbers[4]) * 256 + Number(numbers[5]);
}

function unread(command: PassiveCommand): RefusedError {
  return new RefusedError({ code: "ftp-refused", message: `the server's reply to ${command} names no port` });
}

function refused(what: string): RefusedError {
  return new RefusedError({ code: "ftp-refused", message: `the server wants ${what}` });
}
