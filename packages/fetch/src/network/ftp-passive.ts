// Parses the reply to EPSV or PASV: returns the port of the data connection, or refuses the reply (RFC 2428 §3, RFC 959 §4.2.2).
import { RefusedError } from "../common/failures.ts";

/** The commands that ask a server to listen for a data connection. */
export type PassiveCommand = "EPSV" | "PASV";

/** The lowest allowed port. Lower ports belong to well-known services. */
const firstPort = 1_024;

/**
 * One line with the code 229 and one pair of parentheses, which contains the port between delimiters. RFC 2428 §3 allows any printable
 * character as the delimiter, the same in all four places. Digits and parentheses are refused: they would make the port ambiguous.
 */
const extended = /^229 [^()\r\n]*\(([!-'*-/:-~])\1\1([1-9][0-9]{0,4})\1\)[^()\r\n]*$/;

/** One line with the code 227 and six numbers, and no other digits. Parentheses are optional (RFC 1123 §4.1.2.6). */
const tuple = /^227 (?:[^0-9\r\n]*[ (=])?([0-9]{1,3}(?:,[0-9]{1,3}){5})(?:[ ).][^0-9\r\n]*)?$/;

/**
 * Returns the port in a reply, from 1024 to 65535. An address in the reply must equal `controlHost`, the address of the control
 * connection: data connections to other hosts are refused. Throws a `RefusedError` for every other reply.
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
  // Some parsers read a number with a leading zero as octal.
  if (numbers.length !== 6 || numbers.some((each) => Number(each) > 255 || String(Number(each)) !== each)) {
    throw unread("PASV");
  }
  if (numbers.slice(0, 4).join(".") !== controlHost) throw refused("the data connection to go to another address");
  return Number(numbers[4]) * 256 + Number(numbers[5]);
}

function unread(command: PassiveCommand): RefusedError {
  return new RefusedError({ code: "ftp-refused", message: `the server's reply to ${command} names no valid port` });
}

function refused(what: string): RefusedError {
  return new RefusedError({ code: "ftp-refused", message: `the server wants ${what}` });
}
