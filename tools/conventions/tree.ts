import { posix } from "node:path";
import ts from "typescript";
import { type Finding, lineOf, parseSource, type Source } from "./source.ts";

/** The repository as far as rules look at it: paths with their text. */
export type Tree = ReadonlyMap<string, string>;

/** Checks properties that no single file shows. */
export type TreeRule = (tree: Tree) => Finding[];

/** Every layer of `server/src` and every domain module says in a README.md what it owns. */
export const readmeRule: TreeRule = (tree) => {
  const folders = new Set<string>();
  for (const path of tree.keys()) {
    const [, folder] = /^(server\/src\/(?:domain\/[^/]+|(?!domain\/)[^/]+))\//.exec(path) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  return [...folders]
    .filter((folder) => (tree.get(`${folder}/README.md`) ?? "").trim().split("\n").length < 3)
    .map((path) => ({
      rule: "readme",
      path,
      line: 1,
      message: "needs a README.md: what it owns, what it does not, its events",
    }));
};

const mostFiles = 40;

// What ships and what tests it. Migrations are one sequence, and screens are pictures.
const counted = /^(?:server|console)\/src\/|(?:^|\/)test\//;

/** No folder of what ships or of tests holds more than 40 files of its own: a larger one should be split. */
export const folderRule: TreeRule = (tree) => {
  const counts = new Map<string, number>();
  for (const path of tree.keys()) {
    if (!counted.test(path)) continue;
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > mostFiles)
    .map(([path, count]) => ({
      rule: "folder-size",
      path,
      line: 1,
      message: `${count} files, at most ${mostFiles}: part it by what it owns`,
    }));
};

/** Every function that a door offers has a doc comment where it is declared. */
export const doorRule: TreeRule = (tree) => {
  const doors = [...tree.keys()].filter((path) => /^server\/src\/(?:[^/]+|domain\/[^/]+)\/index\.ts$/.test(path));
  return doors.flatMap((path) => {
    const door = parseSource(path, tree.get(path) ?? "");
    return offered(door).flatMap(({ name, from }) => {
      const origin = from === undefined ? path : posix.join(posix.dirname(path), from);
      const text = tree.get(origin);
      return text === undefined ? [] : undocumented(parseSource(origin, text), name);
    });
  });
};

/** One export of a door: a name, or everything if absent; from another file, or the door's own if absent. */
interface Offer {
  readonly name: string | undefined;
  readonly from: string | undefined;
}

function offered(door: Source): Offer[] {
  return door.tree.statements.flatMap((statement): Offer[] => {
    if (!ts.isExportDeclaration(statement)) return isExported(statement) ? [{ name: undefined, from: undefined }] : [];
    const from =
      statement.moduleSpecifier === undefined ? undefined : (statement.moduleSpecifier as ts.StringLiteral).text;
    if (statement.isTypeOnly) return [];
    if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause))
      return [{ name: undefined, from }];
    return statement.exportClause.elements
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .map(({ name, propertyName }) => ({ name: (propertyName ?? name).text, from }));
  });
}

// With a name: that function; without: every exported function of the file.
function undocumented(source: Source, name: string | undefined): Finding[] {
  return source.tree.statements.flatMap((statement) => {
    if (!isExported(statement) || ts.getJSDocCommentsAndTags(statement).length > 0) return [];
    return functionNames(statement)
      .filter((declared) => name === undefined || declared === name)
      .map((declared) => ({
        rule: "door-comment",
        path: source.path,
        line: lineOf(source, statement),
        message: `${declared} is offered by the door and needs a doc comment`,
      }));
  });
}

function functionNames(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement)) return statement.name === undefined ? [] : [statement.name.text];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    const isFunction =
      initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
    return isFunction && ts.isIdentifier(name) ? [name.text] : [];
  });
}

function isExported(statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement)
    ? (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    : false;
}
