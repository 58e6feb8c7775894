import ts from "typescript";
import { type Finding, lineOf, nodeRule, type Source, type SourceRule, walk } from "./source.ts";
import type { TreeRule } from "./tree.ts";

/** A word or phrase to avoid, and what to write instead. */
interface Word {
  readonly pattern: RegExp;
  readonly say: string;
}

const words: readonly Word[] = [
  { pattern: /\b(?:he|him|his|himself|she|her|hers|herself)\b/gi, say: "the user, the caller, they, their" },
  { pattern: /\b(?:nobody|no\s+one)\b/gi, say: "what does not happen, and to what: no client may, it is never read" },
  { pattern: /\b(?:somebody|someone)\b/gi, say: "a user, an attacker, another server" },
  { pattern: /\b(?:anybody|everybody)\b/gi, say: "any caller, every user" },
  { pattern: /\bwhoever\b/gi, say: "a user who, the client that" },
  { pattern: /\b(?:for|to|of|by)\s+who\b/gi, say: "for users who, to the client that" },
  { pattern: /\b(?:that|which)\s+is\s+none\b|\b(?<!there\s)are\s+none\b/gi, say: "invalid, absent, not a URI" },
  { pattern: /\be-mails?\b/gi, say: "email" },
  { pattern: /\bany\s+more\b/gi, say: "no longer" },
  { pattern: /\bfor\s+ever\b/gi, say: "forever" },
  {
    pattern: /\b(?:behaviour|centre|colour|defence|enrolment|favour|honour|judgement|licence|neighbour)\w*/gi,
    say: "it as Americans spell it: color, license, neighbor",
  },
  {
    pattern: /\b(?:un|re|mis)?(?:cancell(?:ed|ing)|labell\w+|learnt|modell\w+|signall\w+|spelt|travell\w+)\b/gi,
    say: "it as Americans spell it: canceled, labeled, spelled",
  },
  {
    pattern:
      /\b\w*(?:al|author|custom|mini|optim|organ|recogn|summar|synchron|util)is(?:e[drs]?|ers|ing|able|ations?)\b/gi,
    say: "it as Americans spell it: recognize, normalize",
  },
  { pattern: /\banalys(?:e[drs]?|ing)\b/gi, say: "it as Americans spell it: analyze" },
];

const whoAsSubject: Word = { pattern: /(?:^|[;:]\s|\bonly\s)who\b/gi, say: "a user who, the client that" };

const widest = 120;
// Directives to checkers cannot be wrapped.
const orders = /\/\/ (?:biome-ignore|oxlint-disable|@ts-)/;

/** Comments of programs read as plain English does, and fit a window. Code and strings are not judged. */
export const commentWordsRule: SourceRule = (source) => judgeComments(source.path, source.text, commentsOf(source));

/** Titles of tests state the rules of the product, so they are judged like comments, and "who" is not their subject. */
export const titleWordsRule: SourceRule = (source) =>
  titlesOf(source).flatMap(({ line, title }) =>
    judgeWords(source.path, title, [...words, whoAsSubject]).map((finding) => ({ ...finding, line })),
  );

/** Ambiguous private words that names must not use, and what to use instead. */
const nameWords: ReadonlyMap<string, string> = new Map([
  ["place", "what it is: scope, organization, location, position, address, subject"],
  ["places", "what they are: scopes, organizations, locations, positions, addresses, subjects"],
  ["way", "what it is: method, attempt, path, kind, case"],
  ["ways", "what they are: methods, attempts, paths, kinds, cases"],
  ["world", "what it is: fixtures, setup, instance, run"],
  ["worlds", "what they are: fixtures, instances, runs"],
]);

/** Names in all code, tests and tools included, are the field's words. Columns and kinds that are stored are text. */
export const nameWordsRule: SourceRule = nodeRule("words", isAnyPath, (node) => {
  if (!ts.isIdentifier(node)) return undefined;
  const word = wordsOf(node.text).find((each) => nameWords.has(each));
  return word && `"${node.text}": name ${nameWords.get(word)}`;
});

function isAnyPath(): boolean {
  return true;
}

const wordsOf = (name: string): string[] =>
  Array.from(name.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g), ([word]) => word.toLowerCase());

/**
 * Comments of style sheets and of the contract are judged too; so is Markdown outside of code. Not judged are
 * migrations, which are frozen by their checksums; pages that are generated from texts of the product; dated results of
 * measurements; and what the changelog says of released versions.
 */
export const proseWordsRule: TreeRule = (tree) =>
  [...tree].flatMap(([path, text]) => {
    if (path.endsWith(".md")) return isRecord(path, text) ? [] : judgeWords(path, proseOf(path, text));
    if (path.endsWith(".css")) return judgeComments(path, text, keepComments(text, []));
    if (path.endsWith(".proto")) return judgeComments(path, text, keepComments(text, matches(text, protoString)));
    return [];
  });

function isRecord(path: string, text: string): boolean {
  return path.startsWith("bench/results/") || /^<!-- Written by .* Do not edit\. -->$/m.test(text);
}

function judgeComments(path: string, text: string, comments: string): Finding[] {
  const commented = comments.split("\n");
  const wide = text.split("\n").flatMap((line, index): Finding[] => {
    if (line.length <= widest || !/[\w]/.test(commented[index] ?? "") || orders.test(line)) return [];
    return [
      { rule: "words", path, line: index + 1, message: `a comment of ${line.length} columns, at most ${widest}` },
    ];
  });
  return [...judgeWords(path, comments), ...wide];
}

function judgeWords(path: string, prose: string, judged = words): Finding[] {
  const said = withoutQuotations(prose);
  return judged.flatMap(({ pattern, say }) =>
    Array.from(said.matchAll(pattern), (match) => ({
      rule: "words",
      path,
      line: said.slice(0, match.index).split("\n").length,
      message: `"${match[0].replaceAll(/\s+/g, " ")}": write ${say}`,
    })),
  );
}

interface Span {
  readonly start: number;
  readonly end: number;
}

// Every other character becomes a mark that no pattern matches, so that lines and columns stay what they were and words
// of two comments never make a phrase.
const mark = "\u0000";
const blank = (text: string): string => text.replaceAll(/[^\s]/g, mark);

const protoString = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

function commentsOf({ text, tree }: Source): string {
  // With its strings, templates and patterns blanked out, nothing but a comment begins with `//` or `/*`.
  const literals: Span[] = [];
  walk({ path: tree.fileName, text, tree }, (node) => {
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isTemplateLiteralToken(node) ||
      ts.isRegularExpressionLiteral(node) ||
      ts.isJsxText(node);
    if (isText) literals.push({ start: node.getStart(tree), end: node.end });
  });
  return keepComments(text, literals);
}

/** What calls of `test` and the like, including those of a test's context, say first. */
function titlesOf(source: Source): { line: number; title: string }[] {
  const titles: { line: number; title: string }[] = [];
  walk(source, (node) => {
    if (!ts.isCallExpression(node) || !isTestFunction(node.expression)) return;
    // A pattern's `test` has no second argument.
    const [title, body] = node.arguments;
    if (title === undefined || body === undefined || !(ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
      return;
    titles.push({ line: lineOf(source, title), title: textOf(title) });
  });
  return titles;
}

const testFunctions: ReadonlySet<string> = new Set(["test", "it", "describe", "suite", "both", "browserTest"]);

function isTestFunction(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return testFunctions.has(called.text);
  if (!ts.isPropertyAccessExpression(called)) return false;
  const isVariant = /^(?:only|skip|todo)$/.test(called.name.text);
  return isVariant ? isTestFunction(called.expression) : called.name.text === "test";
}

// Interpolated values are not part of the title.
function textOf(title: ts.StringLiteralLike | ts.TemplateExpression): string {
  if (ts.isStringLiteralLike(title)) return title.text;
  return [title.head, ...title.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(mark);
}

function keepComments(text: string, literals: readonly Span[]): string {
  const spans = matches(replaceSpans(text, literals, blank), comment);
  let kept = "";
  let end = 0;
  for (const span of spans) {
    // The signs of a comment are spaces, so that a phrase that is wrapped is one all the same.
    const said = text.slice(span.start, span.end).replaceAll(/(^|\n)\s*(?:\/\/+|\/\*+|\*(?!\/))/g, spaces);
    kept += blank(text.slice(end, span.start)) + said;
    end = span.end;
  }
  return kept + blank(text.slice(end));
}

const spaces = (signs: string): string => signs.replaceAll(/[^\n]/g, " ");

// Code, addresses and what is released are not judged.
function proseOf(path: string, text: string): string {
  const released = path === "CHANGELOG.md" ? text.search(/^## \[\d/m) : -1;
  const judged = released === -1 ? text : text.slice(0, released);
  return judged
    .replaceAll(/^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\1/gm, blank)
    .replaceAll(/\]\([^)\s]*\)|<https?:[^>]*>|<!--[\s\S]*?-->/g, blank);
}

// Names in backticks and words between quotation marks are those of code, of a standard or of a page.
const withoutQuotations = (prose: string): string => prose.replaceAll(/`[^`\n]*`|"[^"\n]*"|“[^”\n]*”/g, blank);

function matches(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => ({ start: index, end: index + length }));
}

function replaceSpans(text: string, spans: readonly Span[], replace: (part: string) => string): string {
  let replaced = "";
  let end = 0;
  for (const span of spans) {
    if (span.start < end) continue;
    replaced += text.slice(end, span.start) + replace(text.slice(span.start, span.end));
    end = span.end;
  }
  return replaced + text.slice(end);
}
