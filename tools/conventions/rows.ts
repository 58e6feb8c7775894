import type { Finding } from "./source.ts";
import type { TreeRule } from "./tree.ts";

const beginning = 50;

/**
 * No two rules of the threat model begin alike: a rule that is reworded on two branches would otherwise be there twice
 * after a merge, once in words that are true no longer.
 */
export const rowsRule: TreeRule = (tree) => {
  const findings: Finding[] = [];
  const path = "docs/threat-model.md";
  const known = new Map<string, number>();
  (tree.get(path) ?? "").split("\n").forEach((row, index) => {
    // Headings of tables are shorter, and repeat.
    if (!row.startsWith("| ") || row.length < 2 * beginning) return;
    const line = index + 1;
    const former = known.get(row.slice(0, beginning));
    if (former === undefined) known.set(row.slice(0, beginning), line);
    else findings.push({ rule: "rows", path, line, message: `begins like line ${former}: one rule has one row` });
  });
  return findings;
};
