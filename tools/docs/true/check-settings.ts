import type { Page, Untruth } from "./page.ts";

/** Variables that a page names and that nothing reads. One that ends in `_` is the beginning of several. */
export function checkSettings(page: Page, known: ReadonlySet<string>): Untruth[] {
  return page.text.split("\n").flatMap((content, index) =>
    [...content.matchAll(/\bDOORWARD_[A-Z0-9_]*/g)]
      .map(([name]) => name)
      .filter((name) => !isKnown(name, known))
      .map((text) => ({ path: page.path, text, line: index + 1, message: "nothing reads such a variable" })),
  );
}

function isKnown(name: string, known: ReadonlySet<string>): boolean {
  return known.has(name) || (name.endsWith("_") && [...known].some((other) => other.startsWith(name)));
}
