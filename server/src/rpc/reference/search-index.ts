import type { SearchIndex, TypesByName } from "../../api/index.ts";
import type { DescribedService } from "./describe-service.ts";

// What many methods have in common is found in some of them, so that the index stays small.
const mostOfField = 6;

/**
 * Returns what the search of the reference looks in: methods, the names of their fields, and the ids of their errors.
 * Methods of the current version come first.
 */
export function createSearchIndex(services: readonly DescribedService[]): SearchIndex {
  const ordered = services.toSorted((left, right) => Number(isOlder(left)) - Number(isOlder(right)));
  const methods: SearchIndex["methods"][number][] = [];
  const fields = new Map<string, Set<number>>();
  const errors = new Map<string, Set<number>>();
  const add = (map: Map<string, Set<number>>, key: string, position: number): void => {
    const positions = map.get(key) ?? new Set();
    map.set(key, positions);
    if (positions.size < mostOfField) positions.add(position);
  };
  for (const [index, { methods: listed, types }] of ordered.entries()) {
    for (const { name, text, routes, request, response, errors: own } of listed) {
      const position = methods.length;
      const [route] = routes;
      methods.push([index, name, route === undefined ? "" : `${route.verb} ${route.path}`, firstSentence(text)]);
      for (const field of fieldNames(types, [request, response])) add(fields, field, position);
      for (const { id } of own) add(errors, id, position);
    }
  }
  return { services: ordered.map(({ name }) => name), methods, fields: listOf(fields), errors: listOf(errors) };
}

const isOlder = ({ name }: DescribedService): boolean => name.includes(".v1.");

const listOf = (map: ReadonlyMap<string, ReadonlySet<number>>): Record<string, number[]> =>
  Object.fromEntries(Array.from(map, ([key, positions]) => [key, [...positions]]));

function fieldNames(types: TypesByName, roots: readonly string[]): Set<string> {
  const found = new Set(roots);
  const names = new Set<string>();
  for (const type of found) {
    for (const { name, refersTo } of types[type]?.fields ?? []) {
      names.add(name);
      if (refersTo !== undefined) found.add(refersTo);
    }
  }
  return names;
}

function firstSentence(text: string): string {
  const sentence = /^[^\n]*?[.:](?=\s|$)/.exec(text)?.[0] ?? text.split("\n", 1)[0] ?? "";
  return (sentence.length > 110 ? `${sentence.slice(0, 107).trimEnd()}…` : sentence)
    .replace(/[.:]$/, "")
    .replaceAll("`", "");
}
