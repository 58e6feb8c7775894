import ts from "typescript";
import { type Finding, lineOf, nodeRule, type SourceRule } from "./source.ts";

const longestFile = 400;
const longestFunction = 80;
const shorter: Readonly<Record<string, number>> = { "server/src/main.ts": 40, "server/src/app.ts": 200 };

/** No file is longer than 400 lines; the command line and the composition root are shorter still. */
export const fileLengthRule: SourceRule = ({ path, text }) => {
  const limit = shorter[path] ?? longestFile;
  const lines = text.trimEnd().split("\n").length;
  if (lines <= limit) return [];
  return [
    {
      rule: "file-length",
      path,
      line: limit + 1,
      message: `${lines} lines, at most ${limit}: split it`,
    } satisfies Finding,
  ];
};

/** No function of what ships is longer than 80 lines. */
export const functionLengthRule: SourceRule = nodeRule(
  "function-length",
  (path) => /\/src\//.test(path),
  (node, source) => {
    if (!ts.isFunctionLike(node) || !("body" in node) || node.body === undefined) return undefined;
    const lines = source.tree.getLineAndCharacterOfPosition(node.end).line + 2 - lineOf(source, node);
    if (lines <= longestFunction) return undefined;
    const name = node.name === undefined ? "a function" : node.name.getText(source.tree);
    return `${name} has ${lines} lines, at most ${longestFunction}: split it`;
  },
);
