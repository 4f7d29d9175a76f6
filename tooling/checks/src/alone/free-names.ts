// Finds a program's free names: the names that it uses but does not declare.
import { Visitor, parseSync } from "vite";

/**
 * The names that a program uses but does not declare, sorted. A name that is declared in one scope is treated as declared in all scopes:
 * declared names of a minified program have only one or two letters, so they cannot hide a global.
 */
export function freeNamesOf(program: string): readonly string[] {
  const parsed = parseSync("program.js", program);
  const [error] = parsed.errors;
  if (error !== undefined) throw new Error(error.message);
  const used = new Map<number, string>();
  // Names of properties and labels are not variables.
  const others = new Set<number>();
  const declared = new Set<string>();
  const declare = (node: unknown): void => {
    const pattern = node as Readonly<Record<string, unknown>> | null;
    if (pattern?.["type"] === "Identifier") declared.add(pattern["name"] as string);
    else if (pattern?.["type"] === "AssignmentPattern") declare(pattern["left"]);
    else if (pattern?.["type"] === "RestElement") declare(pattern["argument"]);
    else if (pattern?.["type"] === "ArrayPattern") (pattern["elements"] as unknown[]).forEach(declare);
    else if (pattern?.["type"] === "ObjectPattern") (pattern["properties"] as unknown[]).forEach(declare);
    else if (pattern?.["type"] === "Property") declare(pattern["value"]);
  };
  const property = (key: { readonly start: number }, isComputed: boolean): void => {
    if (!isComputed) others.add(key.start);
  };
  new Visitor({
    Identifier: (node) => used.set(node.start, node.name),
    MemberExpression: (node) => property(node.property, node.computed),
    Property: (node) => {
      // In the shorthand { a }, the key is also the value.
      if (!node.shorthand) property(node.key, node.computed);
    },
    MethodDefinition: (node) => property(node.key, node.computed),
    PropertyDefinition: (node) => property(node.key, node.computed),
    LabeledStatement: (node) => others.add(node.label.start),
    BreakStatement: (node) => node.label !== null && others.add(node.label.start),
    ContinueStatement: (node) => node.label !== null && others.add(node.label.start),
    ExportSpecifier: (node) => others.add(node.exported.start),
    VariableDeclarator: (node) => declare(node.id),
    FunctionDeclaration: (node) => [node.id, ...node.params].forEach(declare),
    FunctionExpression: (node) => [node.id, ...node.params].forEach(declare),
    ArrowFunctionExpression: (node) => node.params.forEach(declare),
    ClassDeclaration: (node) => declare(node.id),
    ClassExpression: (node) => declare(node.id),
    CatchClause: (node) => declare(node.param),
  }).visit(parsed.program);
  const names = [...used].filter(([start, name]) => !others.has(start) && !declared.has(name)).map(([, name]) => name);
  return [...new Set(names)].toSorted();
}
