import ts from "typescript";
import { importedValues, isMember, nodeRule, type SourceRule } from "./source.ts";

// Rules for things that only one module may do. Comments and strings do not count, because the rules look at the syntax
// tree.

const inServer = (...homes: readonly string[]) => {
  return (path: string): boolean =>
    path.startsWith("server/src/") && !homes.some((home) => path.startsWith(`server/src/${home}`));
};

/** The clock is read in `base/clock.ts`; everywhere else, the time is a parameter. */
export const clockRule: SourceRule = nodeRule("clock", inServer("base/clock.ts"), (node) => {
  if (isMember(node, "Date", "now")) return "Date.now: take the time as a parameter (base/clock.ts)";
  if (ts.isNewExpression(node) && isName(node.expression, "Date") && (node.arguments?.length ?? 0) === 0) {
    return "new Date(): take the time as a parameter (base/clock.ts)";
  }
  if (ts.isCallExpression(node) && isName(node.expression, "Date")) return "Date(): take the time as a parameter";
  return undefined;
});

/** The environment is read in `config/`; everything else is handed what it needs. */
export const environmentRule: SourceRule = nodeRule("environment", inServer("config/"), (node) => {
  if (isMember(node, "process", "env")) return "process.env: settings come from config/";
  if (importedValues(node, isBuiltin("process")).includes("env"))
    return "env of node:process: settings come from config/";
  return undefined;
});

const randomFunctions = [
  "randomBytes",
  "randomUUID",
  "randomUUIDv7",
  "randomInt",
  "randomFill",
  "randomFillSync",
  "webcrypto",
];

/** Randomness comes from `base/random.ts`, so that there is one source to trust and one to replace in tests. */
export const randomnessRule: SourceRule = nodeRule("randomness", inServer("base/random.ts"), (node) => {
  if (isMember(node, "Math", "random")) return "Math.random: use Random (base/random.ts)";
  if (isMember(node, "crypto")) return "crypto of the global scope: use Random (base/random.ts)";
  const taken = importedValues(node, isBuiltin("crypto")).filter(
    (name) => name === "*" || randomFunctions.includes(name),
  );
  return taken.length > 0 ? `${taken.join(", ")} of node:crypto: use Random (base/random.ts)` : undefined;
});

/** Key pairs are generated in `base/key-pair.ts`, in turns: the threads of the pool have other work as well. */
export const keyPairRule: SourceRule = nodeRule("key-pair", inServer("base/key-pair.ts"), (node) => {
  const taken = importedValues(node, isBuiltin("crypto")).filter((name) => name.startsWith("generateKeyPair"));
  return taken.length > 0 ? `${taken.join(", ")} of node:crypto: use base/key-pair.ts` : undefined;
});

const dialers: Readonly<Record<string, readonly string[]>> = {
  http: ["request", "get", "*"],
  https: ["request", "get", "*"],
  http2: ["connect", "*"],
  net: ["connect", "createConnection", "Socket", "*"],
  tls: ["connect", "*"],
  dgram: ["createSocket", "*"],
};

/**
 * Other servers are reached through the guard in `base/outbound`. The command line is a client of ours and may call it.
 */
export const outboundRule: SourceRule = nodeRule("outbound", inServer("base/outbound", "cli/"), (node, { path }) => {
  const guard = "other servers are reached through base/outbound";
  if (ts.isCallExpression(node) && isName(node.expression, "fetch")) return `fetch: ${guard}`;
  if (isMember(node, "globalThis", "fetch")) return `fetch: ${guard}`;
  if (ts.isNewExpression(node) && (isName(node.expression, "WebSocket") || isName(node.expression, "EventSource"))) {
    return `${node.expression.getText()}: ${guard}`;
  }
  // The listener loads node:http this way; only the listener and the guard may use it.
  const takesModule =
    isMember(node, "process", "getBuiltinModule") ||
    importedValues(node, isBuiltin("process")).includes("getBuiltinModule");
  if (takesModule && path !== "server/src/http/listener.ts") return `getBuiltinModule: ${guard}`;
  for (const [module, names] of Object.entries(dialers)) {
    const taken = importedValues(node, isBuiltin(module)).filter((name) => names.includes(name));
    if (taken.length > 0) return `${taken.join(", ")} of node:${module}: ${guard}`;
  }
  return undefined;
});

/**
 * SQL is written in stores and in `database/`: only they may hold what makes statements. The columns that several
 * stores of a module select may stand beside the mapping of their rows, in a `*-row.ts`.
 */
export const sqlRule: SourceRule = nodeRule(
  "sql",
  (path) => inServer("database/")(path) && !path.endsWith(".store.ts"),
  (node, { path }) => {
    const makers = path.endsWith("-row.ts") ? ["sql", "join", "list"] : ["sql", "join", "list", "text"];
    const taken = importedValues(node, (module) => /(^|\/)database\//.test(module)).filter((name) =>
      makers.includes(name),
    );
    return taken.length > 0 ? `${taken.join(", ")} of database: SQL belongs into a *.store.ts` : undefined;
  },
);

/** Markup is made by the renderer of `html`, which escapes; no other file puts tags into text. */
export const markupRule: SourceRule = nodeRule("markup", inServer("html/"), (node) => {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return undefined;
  if (node.parent !== undefined && ts.isTaggedTemplateExpression(node.parent)) return undefined;
  const text = ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("")
    : node.text;
  return /<\/[a-z][a-z0-9-]*>|<!doctype\b/i.test(text) ? "markup in a string: use html of html/" : undefined;
});

/** The host that a client asked for is read in `http/`, which compares it with the instance's domains. */
export const hostRule: SourceRule = nodeRule("host", inServer("http/", "web/", "config/"), (node) => {
  if (ts.isStringLiteralLike(node) && /^(x-forwarded-|forwarded$)/i.test(node.text)) {
    return `header ${node.text}: http/ decides whose word counts`;
  }
  const isHeaders = (of: ts.Expression): boolean => ts.isPropertyAccessExpression(of) && of.name.text === "headers";
  if (ts.isPropertyAccessExpression(node) && node.name.text === "host" && isHeaders(node.expression)) {
    return "header host: links and issuers come from the instance (http/ finds it)";
  }
  if (
    ts.isElementAccessExpression(node) &&
    isHeaders(node.expression) &&
    ts.isStringLiteralLike(node.argumentExpression) &&
    node.argumentExpression.text === "host"
  ) {
    return "header host: links and issuers come from the instance (http/ finds it)";
  }
  return undefined;
});

function isName(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

function isBuiltin(name: string): (specifier: string) => boolean {
  return (specifier) => specifier === name || specifier === `node:${name}`;
}
