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
  const walk = createWalk(checker, { operations: operationsByName(sources), members: namesOfMembers(sources) });
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
  const nothing = { operations: new Map(), members: new Set<string>() };
  const general = new Set(chain.flatMap((source) => [...look(checker, nothing, source).errors]));
  return { methods: found, general };
}

// All kinds of things share one space of ids, and one step claims them: a method claims one of its own kind.
const isOf = (method: string, error: string): boolean => {
  const kind = / (\w+)\.id_taken$/.exec(error)?.[1];
  return kind === undefined || method.toLowerCase().includes(kind.slice(0, 3));
};

/** Functions by their names; undefined where several have one. */
type Operations = ReadonlyMap<string, ts.Node | undefined>;

/** What code can lead to. */
interface Targets {
  readonly operations: Operations;
  /** Names of all members that are functions, of classes, objects and modules. */
  readonly members: ReadonlySet<string>;
}

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

// Members of a literal are read one by one: its type is that of all messages of the service, which takes as long as
// everything else here.
function handlersIn(checker: ts.TypeChecker, handlers: ts.Expression): FoundBinding["handlers"] {
  const nodes = new Map<string, ts.Node>();
  // Types of tables have members for all methods, of which those that may be absent are not bound there. A member that
  // is declared nowhere, such as one of a mapped type, is what brings it.
  const take = (expression: ts.Expression, bringer: ts.Node): void => {
    for (const { name, flags, valueDeclaration } of checker.getTypeAtLocation(expression).getProperties()) {
      if ((flags & ts.SymbolFlags.Optional) === 0) nodes.set(name, valueDeclaration ?? bringer);
    }
  };
  if (!ts.isObjectLiteralExpression(handlers)) take(handlers, handlers);
  else {
    for (const member of handlers.properties) {
      if (ts.isSpreadAssignment(member)) take(member.expression, member);
      else nodes.set(member.name.getText(), member);
    }
  }
  return Array.from(nodes, ([name, node]) => ({ name, node }));
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

/** The names by which a member of something can be what `targetOf` leads to, apart from operations. */
function namesOfMembers(sources: readonly ts.SourceFile[]): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isMethodDeclaration(node) || ts.isExportSpecifier(node)) names.add(node.name.getText());
    node.forEachChild(visit);
  };
  for (const source of sources) {
    visit(source);
    // What a module exports is a member where the whole module is imported.
    const exported = source.statements.filter((one) => ts.canHaveModifiers(one) && one.modifiers !== undefined);
    for (const one of exported) {
      if (ts.isFunctionDeclaration(one) && one.name !== undefined) names.add(one.name.text);
      if (!ts.isVariableStatement(one)) continue;
      for (const { name } of one.declarationList.declarations) names.add(name.getText());
    }
  }
  return names;
}

/** Returns a function that collects the errors that a piece of code can lead to. */
function createWalk(checker: ts.TypeChecker, targets: Targets) {
  const looked = new Map<ts.Node, Looked>();
  return (root: ts.Node): ReadonlySet<string> => {
    const errors = new Set<string>();
    const seen = new Set([root]);
    for (const node of seen) {
      const found = looked.get(node) ?? look(checker, targets, node);
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

function look(checker: ts.TypeChecker, { operations, members }: Targets, root: ts.Node): Looked {
  const looked: Looked = { errors: new Set(), next: new Set() };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isNewExpression(node) && node.expression.getText() === "Fault") {
      const [codes = [], ids = []] = node.arguments?.map((argument) => textsOf(checker, argument)) ?? [];
      for (const code of codes) for (const id of ids) looked.errors.add(`${code} ${id}`);
    }
    // To know whose member one is takes the type of that, so only those are asked that may lead somewhere.
    const isMember = ts.isIdentifier(node) && ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
    const leads = !isMember || members.has(node.text) || operations.get(node.text) !== undefined;
    const referred = ts.isIdentifier(node) && leads ? symbolOf(checker, node) : undefined;
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
