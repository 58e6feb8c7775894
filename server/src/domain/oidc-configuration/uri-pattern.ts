import { isNavigableScheme, longestUri } from "./uri.ts";

// One element of a pattern. `one` consumes a character, `run` any number of them.
type Step =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "one"; readonly accepts: Characters }
  | { readonly kind: "run"; readonly accepts: Characters };

// Whether a character is accepted, by its code; URIs are ASCII.
type Characters = readonly boolean[];

/** A compiled pattern. */
interface UriPattern {
  /** Whether a URI matches that was already read by `parseUri`. */
  readonly matches: (uri: string) => boolean;
  /** How many wildcards it has, in all alternatives together: each is followed once along the URI. */
  readonly wildcards: number;
}

const mostAlternatives = 16;

const characters = (accepts: (character: string) => boolean): Characters =>
  Array.from({ length: 128 }, (_, code) => accepts(String.fromCharCode(code)));

// A wildcard never leaves its part of the URI: inside the authority it stops at the first slash or question mark, so
// that `https://*.example.com` cannot be `https://evil.example?.example.com`.
const insideSegment = characters((character) => character !== "/" && character !== "?");
const insidePath = characters((character) => character !== "?");
const notSlash = characters((character) => character !== "/");

/**
 * Reads a pattern of development mode: `*` (not across slashes), `**` (across), `?`, `[a-z]`, `{a,b}`. The scheme is
 * literal. Undefined when the pattern is malformed or has too many alternatives.
 */
export function compileUriPattern(pattern: string): UriPattern | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(pattern)?.[1];
  if (scheme === undefined || !isNavigableScheme(scheme)) return undefined;
  if (pattern.length > longestUri || !/^[\x21-\x7e]+$/.test(pattern) || /[#\\@"<>^`|]/.test(pattern)) return undefined;
  const alternatives = expand(pattern);
  if (alternatives === undefined) return undefined;
  const compiled: Step[][] = [];
  let wildcards = 0;
  for (const alternative of alternatives) {
    const steps = toSteps(alternative);
    if (steps === undefined) return undefined;
    wildcards += steps.filter(({ kind }) => kind !== "literal").length;
    compiled.push(steps);
  }
  return { matches: (uri) => compiled.some((steps) => matches(steps, uri)), wildcards };
}

/** Most wildcards in all patterns of a list: a request follows them all. */
export const mostWildcards = 100;

// Keyed by the list object, which lives as long as the cached client.
const compiled = new WeakMap<readonly string[], readonly UriPattern[]>();

/** Whether a URI matches one of the patterns, which are compiled once for each list. */
export function matchesPattern(patterns: readonly string[], uri: string): boolean {
  let matchers = compiled.get(patterns);
  if (matchers === undefined) {
    matchers = compileAll(patterns);
    compiled.set(patterns, matchers);
  }
  return matchers.some(({ matches }) => matches(uri));
}

/** Compiles a list. Patterns that were stored before they had a limit, and exceed it, match nothing. */
function compileAll(patterns: readonly string[]): UriPattern[] {
  const matchers: UriPattern[] = [];
  let wildcards = 0;
  for (const pattern of patterns) {
    // Any other pattern is a URI, which only matches itself.
    const matcher = /[*?[{]/.test(pattern) ? compileUriPattern(pattern) : undefined;
    if (matcher === undefined) continue;
    if (wildcards + matcher.wildcards > mostWildcards) continue;
    wildcards += matcher.wildcards;
    matchers.push(matcher);
  }
  return matchers;
}

/**
 * Lists every text that the braces stand for. Two stars between slashes also stand for one slash. Undefined when
 * malformed, nested or too many.
 */
function expand(pattern: string): string[] | undefined {
  const parts = pattern.replaceAll("/**/", "{/,/**/}").split(/[{}]/);
  const braces = pattern.replaceAll("/**/", "{/,/**/}").replace(/[^{}]/g, "");
  if (!/^(?:\{\})*$/.test(braces)) return undefined;
  let texts = [""];
  for (const [index, part] of parts.entries()) {
    const choices = index % 2 === 1 ? part.split(",") : [part];
    if (texts.length * choices.length > mostAlternatives) return undefined;
    texts = texts.flatMap((text) => choices.map((choice) => text + choice));
  }
  return texts;
}

function toSteps(pattern: string): Step[] | undefined {
  const steps: Step[] = [];
  const authorityStart = pattern.indexOf("://") + 3;
  const authorityEnd = authorityStart < 3 ? 0 : endOf(pattern, authorityStart);
  let literal = "";
  const add = (step: Step): void => {
    if (literal !== "") steps.push({ kind: "literal", text: literal });
    literal = "";
    const last = steps.at(-1);
    // Adjacent runs are merged into the longer one.
    if (step.kind !== "run" || last?.kind !== "run") steps.push(step);
    else if (step.accepts === insidePath) steps[steps.length - 1] = step;
  };
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] ?? "";
    const inAuthority = index < authorityEnd;
    if (character === "*") {
      const isDouble = pattern[index + 1] === "*";
      if (isDouble) index++;
      add({ kind: "run", accepts: isDouble && !inAuthority ? insidePath : insideSegment });
    } else if (character === "?") {
      add({ kind: "one", accepts: inAuthority ? insideSegment : notSlash });
    } else if (character === "[" && index !== authorityStart) {
      const end = pattern.indexOf("]", index);
      const accepts = end < 0 ? undefined : characterClass(pattern.slice(index + 1, end));
      if (accepts === undefined) return undefined;
      add({ kind: "one", accepts });
      index = end;
    } else literal += character;
  }
  if (literal !== "") steps.push({ kind: "literal", text: literal });
  return steps;
}

function endOf(pattern: string, start: number): number {
  const slash = pattern.indexOf("/", start);
  return slash < 0 ? pattern.length : slash;
}

/** `a-z0-9`, or with a leading `!` or `^` everything else. */
function characterClass(body: string): Characters | undefined {
  const isNegated = /^[!^]/.test(body);
  const ranges = [...(isNegated ? body.slice(1) : body).matchAll(/(.)-(.)|(.)/g)].map(
    ([, from, to, single]) => [single ?? from ?? "", single ?? to ?? ""] as const,
  );
  if (ranges.length === 0) return undefined;
  const isListed = (character: string): boolean => ranges.some(([from, to]) => from <= character && character <= to);
  return insideSegment.map((isInside, code) => isInside && isListed(String.fromCharCode(code)) !== isNegated);
}

/**
 * Follows all possible matches at once, one step of the pattern after the other. Each step passes over the URI once, so
 * that no combination of pattern and URI makes it slow.
 */
function matches(steps: readonly Step[], uri: string): boolean {
  // Whether the steps so far may end at each place of the URI.
  let ends = new Uint8Array(uri.length + 1);
  ends[0] = 1;
  for (const step of steps) {
    if (step.kind === "literal") ends = afterLiteral(step.text, uri, ends);
    else if (step.kind === "one") ends = afterOne(step.accepts, uri, ends);
    else extend(step.accepts, uri, ends);
    if (!ends.includes(1)) return false;
  }
  return ends[uri.length] === 1;
}

function afterLiteral(text: string, uri: string, starts: Uint8Array): Uint8Array<ArrayBuffer> {
  const ends = new Uint8Array(starts.length);
  const first = text.charCodeAt(0);
  for (let start = starts.indexOf(1); start <= uri.length - text.length; start++) {
    if (starts[start] === 1 && uri.charCodeAt(start) === first && uri.startsWith(text, start)) {
      ends[start + text.length] = 1;
    }
  }
  return ends;
}

function afterOne(accepts: Characters, uri: string, starts: Uint8Array): Uint8Array<ArrayBuffer> {
  const ends = new Uint8Array(starts.length);
  for (let start = 0; start < uri.length; start++) {
    if (starts[start] === 1 && accepts[uri.charCodeAt(start)] === true) ends[start + 1] = 1;
  }
  return ends;
}

function extend(accepts: Characters, uri: string, ends: Uint8Array): void {
  for (let end = 0; end < uri.length; end++) {
    if (ends[end] === 1 && accepts[uri.charCodeAt(end)] === true) ends[end + 1] = 1;
  }
}
