import type { Piece } from "./page.ts";

const comment = /^\s*(?:\/\/|\/\*\*?|\*(?!\/)|--\s)(.*)$|\s\/\/\s(.*)$/;
const fileName = /(?<![\w./*@<>{}…-])(?:[\w<>*-]+\/)*[a-z*][\w.*-]*\.(?:ts|cjs|sql|proto|md|json|css)(?![\w/*-]|\.\w)/g;

/** Names of files in the comments of a source file, and what stands in backticks there. */
export function namedInComments(text: string): Piece[] {
  return text.split("\n").flatMap((content, index) => {
    const [, ofLine, atEnd] = comment.exec(content) ?? [];
    const words = ofLine ?? atEnd;
    if (words === undefined) return [];
    const spans = Array.from(words.matchAll(/`([^`]+)`/g), ([, span = ""]) => span);
    const names = words.replaceAll(/`[^`]+`/g, "").match(fileName) ?? [];
    return [...spans, ...names].map((named) => ({ text: named, line: index + 1 }));
  });
}
