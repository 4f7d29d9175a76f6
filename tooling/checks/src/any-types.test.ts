// Tests which lines of declarations contain the type `any`, and that the packages' own declarations have none.
import { expect, test } from "vitest";
import { anyLinesOf } from "./any-types.ts";

test.each([
  ["a parameter", "export declare function f(\n  a: any,\n): void;", [2]],
  ["a result", "export declare const f: () => any;", [1]],
  [
    "an argument of a type",
    "export interface A {\n  a: Promise<any>;\n  b: Record<string, readonly any[]>;\n}",
    [2, 3],
  ],
  ["a bound", "export type A<T extends any = string> = T | keyof any;", [1, 1]],
  ["an index", "export interface A { [name: string]: any }", [1]],
  ["a comment", "/** any */\nexport declare const a: number; // any", []],
  ["a string", 'export declare const a: "any" | `any ${string}`;', []],
  ["a name", "export interface any_ { any: number; any2(any: string): unknown }", []],
])("%s", (_what, source, lines) => {
  expect(anyLinesOf("a.d.ts", source)).toEqual(lines);
});

test("a syntax error is an error", () => {
  expect(() => anyLinesOf("a.d.ts", "export interface {")).toThrow("a.d.ts: ");
});
