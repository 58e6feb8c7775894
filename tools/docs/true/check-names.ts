import type { Page, Untruth } from "./page.ts";

const identifier = /^(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[a-z]+_[a-z_]+)(?:\(\))?$/;

/** Functions, types, columns and members that a page has in backticks and that are no word of any source. */
export function checkIdentifiers(page: Page, words: ReadonlySet<string>): Untruth[] {
  return page.spans
    .filter(({ text }) => identifier.test(text) && !words.has(text.replace("()", "")))
    .map((span) => ({ ...span, path: page.path, message: "no source has such a name" }));
}

/** Every word of the sources. */
export function wordsOf(sources: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const text of sources) for (const word of text.match(/\w+/g) ?? []) words.add(word);
  return words;
}

const eventForm = /^[a-z_]+(?:\.[a-z_<>|*…]+)+$/;

/**
 * Types of events that a page says its module records and that the program does not have. They stand in a paragraph
 * with "Events: ": `user.created|deleted` means two, `user.…`, `user.*` and `user.<kind>.added` whatever is there.
 */
export function checkEvents(page: Page, types: readonly string[]): Untruth[] {
  const lines = page.text.split("\n");
  return page.spans
    .filter(({ text, line }) => eventForm.test(text) && isInParagraphOfEvents(lines, line))
    .flatMap(({ text, line }) =>
      alternativesOf(text)
        .filter((name) => !types.some((type) => isSame(name, type)))
        .map((name) => ({ path: page.path, text: name, line, message: "there is no such event" })),
    );
}

function isInParagraphOfEvents(lines: readonly string[], line: number): boolean {
  const above = lines.slice(0, line);
  const paragraph = above.slice(above.findLastIndex((text) => text.trim() === "") + 1);
  return /\bEvents: /.test(paragraph.join("\n"));
}

// `a.b.c|d.e` is `a.b.c` and `a.b.d.e`.
function alternativesOf(text: string): string[] {
  const [first = "", ...others] = text.split("|");
  const beginning = first.slice(0, first.lastIndexOf(".") + 1);
  return [first, ...others.map((other) => beginning + other)];
}

// Segment by segment; an open end takes everything.
function isSame(name: string, type: string): boolean {
  const named = name.split(".");
  const actual = type.split(".");
  for (const [index, segment] of named.entries()) {
    if (/^(?:…|\*)$/.test(segment)) return actual.length > index;
    const pattern = segment.split(/<\w+>/);
    const other = actual[index] ?? "";
    const [start = "", end = ""] = pattern.length > 1 ? [pattern[0], pattern.at(-1)] : [segment, ""];
    const fits = pattern.length > 1 ? other !== "" && other.startsWith(start) && other.endsWith(end) : other === start;
    if (!fits) return false;
  }
  return named.length === actual.length;
}
