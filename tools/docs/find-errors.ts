import { join } from "node:path";
import ts from "typescript";

const home = join(import.meta.dirname, "../../server");

/** Errors as `<code> <id>`: those of each method, and those that every method can be answered with. */
export interface FoundErrors {
  readonly methods: ReadonlyMap<string, ReadonlySet<string>>;
  readonly general: ReadonlySet<string>;
}

/**
 * Finds the errors that the handlers of methods can throw, by reading the code: follows what each handler refers to,
 * and collects every `Fault` that is made there. General ones are made by the chain that every call passes. What a
 * function is handed as an argument is not followed, so a method may lack an error; one that it has is in its code.
 */
export async function findErrors(): Promise<FoundErrors> {
  const file = join(home, "tsconfig.json");
  const options = ts.readConfigFile(file, (path) => ts.sys.readFile(path));
  const config = ts.parseJsonConfigFileContent(options.config, ts.sys, home, undefined, file);
  // Without tests, which are as long as the sources and make no errors of methods.
  const files = config.fileNames.filter((name) => name.startsWith(join(home, "src/")));
  const program = ts.createProgram(files, config.options);
  const checker = program.getTypeChecker();
  const sources = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(join(home, "src/")));
  const walk = createWalk(checker, operationsByName(sources));
  const found = new Map<string, Set<string>>();
  for (const source of sources.filter(({ fileName }) => fileName.includes("/src/api/"))) {
    for (const { service, module, handlers } of bindingsIn(source, checker)) {
      const declared = (await import(module)) as Readonly<Record<string, { readonly typeName: string }>>;
      for (const { name, node } of handlers) {
        const method = `${declared[service]?.typeName}/${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
        const errors = found.get(method) ?? new Set();
        found.set(method, errors);
        for (const error of walk(node)) if (isOf(name, error)) errors.add(error);
      }
    }
  }
  const chain = sources.filter(({ fileName }) => /\/src\/(?:rpc|bearer)\/\w[^/]*$|\/src\/rpc\/rest\//.test(fileName));
  const general = new Set(chain.flatMap((source) => [...look(checker, new Map(), source).errors]));
  return { methods: found, general };
}

// All kinds of things share one space of ids, and one step claims them: a method claims one of its own kind.
const isOf = (method: string, error: string): boolean => {
  const kind = / (\w+)\.id_taken$/.exec(error)?.[1];
  return kind === undefined || method.toLowerCase().includes(kind.slice(0, 3));
};

/** Functions by their names; undefined where several have one. */
type Operations = ReadonlyMap<string, ts.Node | undefined>;

interface FoundBinding {
  /** Name of the service, and the module that exports it. */
  readonly service: string;
  readonly module: string;
  readonly handlers: readonly { readonly name: string; readonly node: ts.Node }[];
}

/** Returns what is bound to services in a file: `bind(Service, { method: handler })`. */
function bindingsIn(source: ts.SourceFile, checker: ts.TypeChecker): FoundBinding[] {
  const bindings: FoundBinding[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === "bind") {
      const [service, handlers] = node.arguments;
      const declared = service && symbolOf(checker, service);
      const [declaration] = declared?.declarations ?? [];
      if (declared && declaration && handlers) {
        const module = declaration.getSourceFile().fileName.replace(/\.d\.ts$/, ".js");
        bindings.push({ service: declared.name, module, handlers: handlersIn(checker, handlers) });
      }
    }
    node.forEachChild(visit);
  };
  visit(source);
  return bindings;
}

// Types of tables have members for all methods, of which those that may be absent are not bound there.
function handlersIn(checker: ts.TypeChecker, handlers: ts.Expression): FoundBinding["handlers"] {
  const members = checker.getTypeAtLocation(handlers).getProperties();
  const bound = members.filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0);
  return bound.map(({ name, valueDeclaration }) => ({
    name,
    node: valueDeclaration ?? spreadOf(checker, handlers, name),
  }));
}

/** Returns the spread that brings a member which is declared nowhere, such as one of a mapped type. */
function spreadOf(checker: ts.TypeChecker, handlers: ts.Expression, name: string): ts.Node {
  if (!ts.isObjectLiteralExpression(handlers)) return handlers;
  const has = (one: ts.ObjectLiteralElementLike): boolean =>
    ts.isSpreadAssignment(one) && checker.getTypeAtLocation(one.expression).getProperty(name) !== undefined;
  return handlers.properties.find(has) ?? handlers;
}

/** Operations that come as members of dependencies: those of the domain whose name only one function has. */
function operationsByName(sources: readonly ts.SourceFile[]): Operations {
  const byName = new Map<string, ts.Node | undefined>();
  for (const source of sources.filter(({ fileName }) => fileName.includes("/src/domain/"))) {
    for (const statement of source.statements) {
      if (!ts.isFunctionDeclaration(statement) || statement.name === undefined) continue;
      // A name of one word is that of many other things.
      if (!/[A-Z]/.test(statement.name.text)) continue;
      byName.set(statement.name.text, byName.has(statement.name.text) ? undefined : statement);
    }
  }
  return byName;
}

/** Returns a function that collects the errors that a piece of code can lead to. */
function createWalk(checker: ts.TypeChecker, operations: Operations) {
  const looked = new Map<ts.Node, Looked>();
  return (root: ts.Node): ReadonlySet<string> => {
    const errors = new Set<string>();
    const seen = new Set([root]);
    for (const node of seen) {
      const found = looked.get(node) ?? look(checker, operations, node);
      looked.set(node, found);
      for (const error of found.errors) errors.add(error);
      for (const other of found.next) seen.add(other);
    }
    return errors;
  };
}

interface Looked {
  readonly errors: Set<string>;
  /** What the code refers to. */
  readonly next: Set<ts.Node>;
}

function look(checker: ts.TypeChecker, operations: Operations, root: ts.Node): Looked {
  const looked: Looked = { errors: new Set(), next: new Set() };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isNewExpression(node) && node.expression.getText() === "Fault") {
      const [codes = [], ids = []] = node.arguments?.map((argument) => textsOf(checker, argument)) ?? [];
      for (const code of codes) for (const id of ids) looked.errors.add(`${code} ${id}`);
    }
    const referred = ts.isIdentifier(node) ? symbolOf(checker, node) : undefined;
    const target = referred && targetOf(checker, operations, referred);
    if (target !== undefined) looked.next.add(target);
    node.forEachChild(visit);
  };
  visit(root);
  return looked;
}

/** Returns the member that a variable takes out of an object, or else the object. */
function memberOf(checker: ts.TypeChecker, element: ts.BindingElement): ts.Node | undefined {
  const taken = (element.propertyName ?? element.name).getText();
  const variable = element.parent.parent;
  if (!ts.isVariableDeclaration(variable) || variable.initializer === undefined) return undefined;
  const member = checker.getTypeAtLocation(variable.initializer).getProperty(taken)?.valueDeclaration;
  const isCode = member !== undefined && (ts.isObjectLiteralElementLike(member) || ts.isFunctionLike(member));
  return isCode && !ts.isMethodSignature(member) ? member : variable.initializer;
}

function targetOf(checker: ts.TypeChecker, operations: Operations, symbol: ts.Symbol): ts.Node | undefined {
  const { valueDeclaration: declaration, name } = symbol;
  if (declaration === undefined || !declaration.getSourceFile().fileName.startsWith(join(home, "src/")))
    return undefined;
  if (ts.isPropertySignature(declaration) || ts.isMethodSignature(declaration)) return operations.get(name);
  if (ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration)) return declaration;
  if (ts.isBindingElement(declaration)) return memberOf(checker, declaration);
  // One table for all kinds of settings: what reads it is about one of them.
  return ts.isVariableDeclaration(declaration) && name !== "settingsKinds" ? declaration.initializer : undefined;
}

function symbolOf(checker: ts.TypeChecker, node: ts.Node): ts.Symbol | undefined {
  const isShort = ts.isShorthandPropertyAssignment(node.parent);
  const symbol = isShort ? checker.getShorthandAssignmentValueSymbol(node.parent) : checker.getSymbolAtLocation(node);
  return symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Returns the texts that an expression can have, as far as its type names them. */
function textsOf(checker: ts.TypeChecker, node: ts.Expression): string[] {
  const type = checker.getTypeAtLocation(node);
  return (type.isUnion() ? type.types : [type]).flatMap((one) => (one.isStringLiteral() ? [one.value] : []));
}
