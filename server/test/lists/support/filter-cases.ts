import assert from "node:assert/strict";
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { FilterCase, Item, Look, OwnCases, Value } from "./list.ts";
import type { Things } from "./more-things.ts";

/** What the members of a filter are asked for, by the form of each in the contract. */
export interface Source {
  readonly things: Things;
  /** All rows of the list. */
  readonly items: readonly Item[];
  /** Every member that has no filters inside of it. */
  readonly plain: readonly FilterCase[];
}

/** The filters of a member that look at a value, or put others together. */
export function casesOf(member: DescField, known: Look | OwnCases | undefined, source: Source): readonly FilterCase[] {
  const name = member.jsonName;
  const put = (value: unknown): object => ({ [name]: value });
  if (known !== undefined && "cases" in known) return known.cases(source.things, source.items);
  if (isComposed(member)) return composed(member, source.plain, put);
  if (known === undefined) return [];
  const valuesOf = (item: Item): readonly Value[] => [known(item, source.things)].flat();
  const all = source.items.flatMap(valuesOf).filter((value) => value !== undefined && value !== "");
  const ask: Asked = { valuesOf, all: [...new Set(all)], put };
  if (member.message === undefined) return scalar(member, ask);
  return ofMessage(member.message, ask);
}

interface Asked {
  readonly valuesOf: (item: Item) => readonly Value[];
  /** Values that rows have, each once. */
  readonly all: readonly Value[];
  readonly put: (value: unknown) => object;
}

/** Whether a member has filters inside of it. */
export const isComposed = ({ message, parent }: DescField): boolean =>
  message?.fields.some((field) => field.message?.typeName === parent.typeName) ?? false;

function composed(member: DescField, plain: readonly FilterCase[], put: Asked["put"]): readonly FilterCase[] {
  const [inner = assert.fail()] = member.message?.fields ?? [];
  // From the beginning, the middle and the end, so that they are of different members.
  const some = [0, 1, 2, 3, 4].map((part) => plain[Math.floor((part * (plain.length - 1)) / 4)] ?? assert.fail());
  if (inner.fieldKind !== "list") {
    return some.map(({ filter, means }) => ({
      filter: put({ [inner.jsonName]: filter }),
      means: (item) => !means(item),
    }));
  }
  const isAnd = member.jsonName.startsWith("and");
  const together = (parts: readonly FilterCase[]): FilterCase => ({
    filter: put({ [inner.jsonName]: parts.map(({ filter }) => filter) }),
    means: (item) => (isAnd ? parts.every(({ means }) => means(item)) : parts.some(({ means }) => means(item))),
  });
  const pairs = some.flatMap((left, index) => some.slice(index + 1).map((right) => together([left, right])));
  // Once more around it, with another beside it.
  const nested = pairs.slice(0, 3).map((pair, index) => together([pair, some[index] ?? pair]));
  return [...some.map((one) => together([one])), ...pairs, ...nested];
}

function scalar({ enum: names, jsonName }: DescField, { valuesOf, put }: Asked): readonly FilterCase[] {
  if (names !== undefined) return ofNames(names.values, (name) => put(name), valuesOf);
  assert.match(jsonName, /Filter$/);
  return ofTruth((value) => put(value), valuesOf);
}

const ofNames = (
  names: readonly { readonly name: string; readonly number: number }[],
  put: (name: string) => object,
  valuesOf: Asked["valuesOf"],
): readonly FilterCase[] =>
  names
    .filter(({ number }) => number !== 0)
    .map(({ name }) => ({ filter: put(name), means: (item) => valuesOf(item).includes(name) }));

const ofTruth = (put: (value: boolean) => object, valuesOf: Asked["valuesOf"]): readonly FilterCase[] =>
  [true, false].map((wanted) => ({
    filter: put(wanted),
    means: (item) => valuesOf(item).some((value) => (value ?? false) === wanted),
  }));

function ofMessage({ fields, typeName }: DescMessage, asked: Asked): readonly FilterCase[] {
  const [first = assert.fail(typeName), second] = fields;
  const { jsonName: name } = first;
  const { valuesOf, all, put } = asked;
  if (second?.enum !== undefined && first.message === undefined) return ofTexts(name, second, asked);
  if (second?.enum !== undefined) return ofInstants(name, second, asked);
  assert.equal(second, undefined, `${typeName} has a form of its own: say what it means`);
  if (first.enum !== undefined) return ofNames(first.enum.values, (value) => put({ [name]: value }), valuesOf);
  if (first.fieldKind === "list") {
    const listed = [all.slice(0, 1), all.slice(-2), [all[0], "404"], ["404"]];
    return listed.map((values) => ({
      filter: put({ [name]: values }),
      means: (item) => valuesOf(item).some((value) => values.includes(value)),
    }));
  }
  if (all.every((value) => typeof value === "boolean")) return ofTruth((value) => put({ [name]: value }), valuesOf);
  return [...all.slice(0, 2), ...all.slice(-1), "404"].map((wanted) => ({
    filter: put({ [name]: wanted }),
    means: (item) => valuesOf(item).includes(wanted),
  }));
}

const compared: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  EQUALS: (text, part) => text === part,
  STARTS_WITH: (text, part) => text.startsWith(part),
  CONTAINS: (text, part) => text.includes(part),
  ENDS_WITH: (text, part) => text.endsWith(part),
};

function ofTexts(name: string, method: DescField, { valuesOf, all, put }: Asked): readonly FilterCase[] {
  const whole = String(all[0] ?? "nobody");
  const middle = Math.floor(whole.length / 2);
  // Signs of patterns are letters like any other.
  const texts = [
    whole,
    whole.toUpperCase(),
    whole.slice(0, 2),
    whole.slice(middle - 1, middle + 1).toUpperCase(),
    whole.slice(-3),
    `${whole.slice(0, 1)}%`,
    `_${whole.slice(1)}`,
    String(all.at(-1) ?? "nobody"),
  ];
  return (method.enum?.values ?? []).flatMap((each) => {
    const kind = /METHOD_(\w+?)(_IGNORE_CASE)?$/.exec(each.name) ?? assert.fail(each.name);
    const [, comparison = "", isFolded] = kind;
    const compare = compared[comparison] ?? assert.fail(each.name);
    const fold = (text: string): string => (isFolded === undefined ? text : text.toLowerCase());
    return [...new Set(texts)].map((text) => ({
      filter: put({ [name]: text, [method.jsonName]: each.name }),
      means: (item: Item) => valuesOf(item).some((value) => compare(fold(String(value ?? "")), fold(text))),
    }));
  });
}

const instants: Readonly<Record<string, (at: number, wanted: number) => boolean>> = {
  EQUALS: (at, wanted) => at === wanted,
  AFTER: (at, wanted) => at > wanted,
  AFTER_OR_EQUALS: (at, wanted) => at >= wanted,
  BEFORE: (at, wanted) => at < wanted,
  BEFORE_OR_EQUALS: (at, wanted) => at <= wanted,
};
// What version 1 calls them.
const formerly: Readonly<Record<string, string>> = {
  GREATER: "AFTER",
  GREATER_OR_EQUALS: "AFTER_OR_EQUALS",
  LESS: "BEFORE",
  LESS_OR_EQUALS: "BEFORE_OR_EQUALS",
};

function ofInstants(name: string, method: DescField, { valuesOf, all, put }: Asked): readonly FilterCase[] {
  const known = all.map(String).sort();
  const wanted = [known[Math.floor(known.length / 2)] ?? assert.fail(name), "2000-01-01T00:00:00Z"];
  return (method.enum?.values ?? []).flatMap((each) => {
    const [, called = ""] = /METHOD_(\w+)$/.exec(each.name) ?? assert.fail(each.name);
    const compare = instants[formerly[called] ?? called] ?? assert.fail(each.name);
    return wanted.map((instant) => ({
      filter: put({ [name]: instant, [method.jsonName]: each.name }),
      means: (item: Item) =>
        valuesOf(item).some((value) => value !== undefined && compare(Date.parse(String(value)), Date.parse(instant))),
    }));
  });
}
