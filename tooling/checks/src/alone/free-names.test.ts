// Tests the free names, the globals that a program needs, of small programs.
import { expect, test } from "vitest";
import { freeNamesOf } from "./free-names.ts";

test.each([
  ["a call", "process.exit(1)", ["process"]],
  ["an argument", "let a = 1; Buffer.from(a)", ["Buffer"]],
  ["a property's value", "const a = { process: require }", ["require"]],
  ["a shorthand", "const a = { process }", ["process"]],
  ["a computed property", "let a = {}; a[global] = 1", ["global"]],
  ["a default", "function f(a = __dirname) { return a }", ["__dirname"]],
  ["typeof", "typeof window", ["window"]],
  ["an export", "export const a = Uint8Array; export { a as process }", ["Uint8Array"]],
  ["an extended class", "class A extends TypeError {}", ["TypeError"]],
])("%s", (_what, program, names) => {
  expect(freeNamesOf(program)).toEqual(names);
});

test.each([
  ["properties", "let a = {}; a.process = { Buffer: 1, require() {} }"],
  ["members of a class", "class A { process = 1; #Buffer = 2; require() { return this.#Buffer + this.process } }"],
  ["patterns", "const { process: a, ...b } = {}, [c = 1, [d]] = [], f = ({ g }) => [a, b, c, d, g]"],
  ["labels", "process: for (;;) { for (;;) continue process; break process }"],
  ["strings", 'const a = "process" + `Buffer`'],
  ["declared names", "try {} catch (e) { e } function f(a, ...b) { return f(a, b) }"],
])("none: %s", (_what, program) => {
  expect(freeNamesOf(program)).toEqual([]);
});
