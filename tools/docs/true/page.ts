/** A piece of a page, with its line counted from 1. */
export interface Piece {
  readonly text: string;
  readonly line: number;
}

/** A Markdown page, as far as its statements can be compared with the repository. */
export interface Page {
  /** Path below the repository, with `/`. */
  readonly path: string;
  readonly text: string;
  /** What stands between backticks in running text. */
  readonly spans: readonly Piece[];
  /** Lines of fenced blocks of commands; a line that ends in a backslash has the next one in it. */
  readonly commandLines: readonly Piece[];
  readonly linkTargets: readonly Piece[];
  /** What a link can have behind `#`. */
  readonly anchors: ReadonlySet<string>;
}

/** A statement of a page that is not true. */
export interface Untruth extends Piece {
  readonly path: string;
  /** Why it is not true. */
  readonly message: string;
}

const commandLanguages = new Set(["", "sh", "bash", "shell", "console"]);

/** Reads a page of Markdown. */
export function readPage(path: string, text: string): Page {
  const prose: string[] = [];
  const commandLines: Piece[] = [];
  let language: string | undefined;
  let begun: Piece | undefined;
  text.split("\n").forEach((content, index) => {
    const fence = /^\s*```(\w*)/.exec(content);
    prose.push(fence !== null || language !== undefined ? "" : content);
    if (fence !== null) language = language === undefined ? (fence[1] ?? "") : undefined;
    else if (language !== undefined && commandLanguages.has(language)) {
      const line: Piece = { text: `${begun?.text ?? ""}${content.trim()}`, line: begun?.line ?? index + 1 };
      begun = line.text.endsWith("\\") ? { ...line, text: line.text.slice(0, -1) } : undefined;
      if (begun === undefined) commandLines.push(line);
    }
  });
  const { spans, rest } = takeSpans(prose);
  return { path, text, spans, commandLines, linkTargets: findLinks(rest), anchors: anchorsOf(prose) };
}

// A span may go over the end of a line, but not over the end of a paragraph or of a row of a table.
function takeSpans(lines: readonly string[]): { readonly spans: Piece[]; readonly rest: string } {
  const spans: Piece[] = [];
  const text = lines.map((line) => (/^\s*\|/.test(line) ? `${line}\n` : line)).join("\n");
  const lineAt = createLineCounter(lines);
  const rest = text.replace(
    /(`+)((?:[^`\n]|\n(?!\s*(?:\n|$)))+?)\1(?!`)/g,
    (whole, _marks, inner: string, at: number) => {
      const span = inner
        .replaceAll(/\s*\n\s*/g, " ")
        .replaceAll("\\|", "|")
        .trim();
      spans.push({ text: span, line: lineAt(text, at) });
      return whole.replaceAll(/[^\n]/g, "·");
    },
  );
  return { spans, rest };
}

// Rows of tables have been given a line end of their own above, which does not count.
function createLineCounter(lines: readonly string[]): (text: string, at: number) => number {
  const starts: number[] = [];
  let offset = 0;
  for (const line of lines) {
    starts.push(offset);
    offset += line.length + (/^\s*\|/.test(line) ? 2 : 1);
  }
  return (_text, at) => starts.findLastIndex((start) => start <= at) + 1;
}

function findLinks(text: string): Piece[] {
  const links: Piece[] = [];
  text
    .split("\n")
    .filter((line, index, all) => line !== "" || !/^\s*\|/.test(all[index - 1] ?? ""))
    .forEach((content, index) => {
      const found = [...content.matchAll(/\]\(([^()\s]+)\)/g), ...content.matchAll(/^\[[^\]]+\]:\s*(\S+)/g)];
      links.push(...found.map(([, target = ""]) => ({ text: target, line: index + 1 })));
    });
  return links;
}

// As GitHub makes them: letters, digits, `_` and `-`; a second heading of the same name has `-1`.
function anchorsOf(lines: readonly string[]): Set<string> {
  const anchors = new Set<string>();
  for (const line of lines) {
    const [, heading] = /^#{1,6}\s+(.+?)\s*#*$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    let name = anchor;
    for (let count = 1; anchors.has(name); count++) name = `${anchor}-${count}`;
    anchors.add(name);
  }
  return anchors;
}
