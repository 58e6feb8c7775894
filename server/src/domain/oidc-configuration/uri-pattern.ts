import { isNavigableScheme, longestUri } from "./uri.ts";

// One element of a pattern. `one` consumes a character, `run` any number of them.
type Step =
  | { readonly kind: "literal"; readonly character: string }
  | { readonly kind: "one"; readonly accepts: (character: string) => boolean }
  | { readonly kind: "run"; readonly accepts: (character: string) => boolean };

const mostAlternatives = 64;

// A wildcard never leaves its part of the URI: inside the authority it stops at the first slash or question mark, so
// that `https://*.example.com` cannot be `https://evil.example?.example.com`.
const insideSegment = (character: string): boolean => character !== "/" && character !== "?";
const insidePath = (character: string): boolean => character !== "?";
const notSlash = (character: string): boolean => character !== "/";

/**
 * Reads a pattern of development mode: `*` (not across slashes), `**` (across), `?`, `[a-z]`, `{a,b}`. The scheme is
 * literal. Returns a function that tells whether a URI, already read by `parseUri`, matches; undefined when the pattern
 * is malformed.
 */
export function compileUriPattern(pattern: string): ((uri: string) => boolean) | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(pattern)?.[1];
  if (scheme === undefined || !isNavigableScheme(scheme)) return undefined;
  if (pattern.length > longestUri || !/^[\x21-\x7e]+$/.test(pattern) || /[#\\@"<>^`|]/.test(pattern)) return undefined;
  const alternatives = expand(pattern);
  if (alternatives === undefined) return undefined;
  const compiled = alternatives.map(toSteps);
  return compiled.every((steps) => steps !== undefined)
    ? (uri) => compiled.some((steps) => matches(steps, uri))
    : undefined;
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
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] ?? "";
    const inAuthority = index < authorityEnd;
    if (character === "*") {
      const isDouble = pattern[index + 1] === "*";
      if (isDouble) index++;
      steps.push({ kind: "run", accepts: isDouble && !inAuthority ? insidePath : insideSegment });
    } else if (character === "?") {
      steps.push({ kind: "one", accepts: inAuthority ? insideSegment : notSlash });
    } else if (character === "[" && index !== authorityStart) {
      const end = pattern.indexOf("]", index);
      const accepts = end < 0 ? undefined : characterClass(pattern.slice(index + 1, end));
      if (accepts === undefined) return undefined;
      steps.push({ kind: "one", accepts });
      index = end;
    } else steps.push({ kind: "literal", character });
  }
  return steps;
}

function endOf(pattern: string, start: number): number {
  const slash = pattern.indexOf("/", start);
  return slash < 0 ? pattern.length : slash;
}

/** `a-z0-9`, or with a leading `!` or `^` everything else. */
function characterClass(body: string): ((character: string) => boolean) | undefined {
  const isNegated = /^[!^]/.test(body);
  const ranges = [...(isNegated ? body.slice(1) : body).matchAll(/(.)-(.)|(.)/g)].map(
    ([, from, to, single]) => [single ?? from ?? "", single ?? to ?? ""] as const,
  );
  if (ranges.length === 0) return undefined;
  return (character) =>
    insideSegment(character) && ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
}

/** Follows all possible matches at once, so that no combination of pattern and URI makes it slow. */
function matches(steps: readonly Step[], uri: string): boolean {
  let places = withSkips(steps, [0]);
  for (const character of uri) {
    const next = new Set<number>();
    for (const place of places) {
      const step = steps[place];
      if (step === undefined) continue;
      if (step.kind === "literal") {
        if (step.character === character) next.add(place + 1);
      } else if (step.accepts(character)) next.add(step.kind === "run" ? place : place + 1);
    }
    if (next.size === 0) return false;
    places = withSkips(steps, next);
  }
  return places.has(steps.length);
}

/** Adds the positions that are reached because a run may be empty. */
function withSkips(steps: readonly Step[], places: Iterable<number>): Set<number> {
  const all = new Set<number>();
  for (const place of places) {
    let current = place;
    all.add(current);
    while (steps[current]?.kind === "run") all.add(++current);
  }
  return all;
}
