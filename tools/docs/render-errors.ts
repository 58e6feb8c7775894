import type { FoundErrors } from "./find-errors.ts";

// What every method can be answered with, wherever it is found.
const everywhere = ["invalid_argument text.nul_character"];

/**
 * The file `server/src/rpc/reference/method-errors.json`: each error once, as `<code> <id>`; by method, the positions
 * of its own errors; and the positions of those of every method.
 */
export function renderErrors({ methods, general }: FoundErrors): string {
  const common = new Set([...general, ...everywhere].filter((error) => !error.startsWith("internal ")));
  const ownOf = (errors: ReadonlySet<string>): string[] =>
    [...errors].filter((error) => !common.has(error) && !error.startsWith("internal "));
  const all = [...new Set([...common, ...[...methods.values()].flatMap(ownOf)])].sort();
  const positions = new Map(all.map((error, index) => [error, index]));
  const listed = (errors: Iterable<string>): string =>
    JSON.stringify(Array.from(errors, (error) => positions.get(error)).sort((left = 0, right = 0) => left - right));
  const lines = [...methods].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{
"errors": ${JSON.stringify(all)},
"general": ${listed(common)},
"methods": {
${lines.map(([name, errors]) => `${JSON.stringify(name)}: ${listed(ownOf(errors))}`).join(",\n")}
}}
`;
}
