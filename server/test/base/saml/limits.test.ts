import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalize } from "../../../src/base/saml/canonicalize.ts";
import { createDocumentCounts, type DocumentKind } from "../../../src/base/saml/document-limits.ts";
import { documentLimits, elementsIn, readXml, type XmlElement } from "../../../src/base/saml/index.ts";
import type { Scope } from "../../../src/base/saml/scope.ts";
import { isRefused } from "./support.ts";

const kinds: readonly DocumentKind[] = ["request", "response", "metadata"];
const each = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join("");
const nested = (levels: number, inside = ""): string => `${"<a>".repeat(levels)}${inside}${"</a>".repeat(levels)}`;
const attributes = (count: number): string => each(count, (at) => ` b${at}="1"`);
const declarations = (count: number): string => each(count, (at) => ` xmlns:p${at}="u"`);

/** Elements of which each has as many as it may, and one with the rest. */
const spread = (count: number, write: (count: number) => string): string => {
  const full = Math.floor(count / 32);
  return `<a>${each(full, () => `<b${write(32)}/>`)}<b${write(count % 32)}/></a>`;
};

for (const kind of kinds) {
  const limits = documentLimits[kind];
  const shapes: Readonly<Record<string, readonly [number, (count: number) => string]>> = {
    levels: [limits.levels, (count) => nested(count)],
    elements: [limits.elements, (count) => `<a>${"<b/>".repeat(count - 1)}</a>`],
    "attributes of an element": [32, (count) => `<a${attributes(count)}/>`],
    "declarations of an element": [32, (count) => `<a${declarations(count)}/>`],
    "characters of a namespace": [512, (count) => `<a xmlns:p="${"u".repeat(count)}"/>`],
    bytes: [limits.bytes, (count) => `<a>${"x".repeat(count - 7)}</a>`],
    // With short names, no more fit in the bytes of the largest kinds.
    ...(kind === "request" && {
      attributes: [limits.attributes, (count) => spread(count, attributes)],
      declarations: [limits.declarations, (count) => spread(count, declarations)],
    }),
  };
  for (const [what, [most, write]] of Object.entries(shapes)) {
    test(`${kind}: ${most} ${what} are read, and one more is refused`, async () => {
      await readXml(write(most), { kind });
      await assert.rejects(readXml(write(most + 1), { kind }), isRefused("too_large"));
    });
  }
  test(`${kind}: attributes and declarations of all elements are counted`, () => {
    for (const [what, name] of [
      ["attributes", "b"],
      ["declarations", "xmlns"],
    ] as const) {
      const most = Math.min(limits[what], limits.attributes);
      const counts = createDocumentCounts({ ...limits, elements: Number.POSITIVE_INFINITY });
      const next = () => {
        counts.attribute({ name, prefix: "", value: "u" });
        counts.element(1);
      };
      for (let count = 0; count < most; count++) next();
      assert.throws(next, isRefused("too_large"), what);
    }
  });
}

/** Entries of all scopes of a document, each scope counted once. */
function entriesOf(root: XmlElement): number {
  const scopes = new Set<Scope>();
  const visit = (element: XmlElement): void => {
    scopes.add(element.scope);
    elementsIn(element).forEach(visit);
  };
  visit(root);
  return [...scopes].reduce((sum, { declared }) => sum + declared.size, 0);
}

test("what is kept of namespaces is what was declared, however many are in scope", async () => {
  const open = each(30, (level) => `<a${each(31, (at) => ` xmlns:n${level}x${at}="u"`)}>`);
  const bomb = (leaves: number) => `${open}${`<b xmlns:z="v"/>`.repeat(leaves)}${"</a>".repeat(30)}`;
  for (const leaves of [10, 4_900]) assert.equal(entriesOf(await readXml(bomb(leaves))), 930 + leaves);
  await assert.rejects(readXml(bomb(10), { kind: "request" }), isRefused("too_large"));
});

test("a namespace that is declared once is not written at each element without end", async () => {
  const root = (leaves: number) => readXml(`<r xmlns:p="${"u".repeat(500)}">${"<p:a/>".repeat(leaves)}</r>`);
  const form = canonicalize(await root(100), [], documentLimits.response.bytes);
  assert.equal(form.length, 7 + 100 * (500 + 22));
  const many = await root(4_900);
  assert.throws(() => canonicalize(many, [], documentLimits.response.bytes), isRefused("too_large"));
});

/** Counts how often the declarations of an element are asked for a prefix. */
function counting(declared: ReadonlyMap<string, string>) {
  let count = 0;
  const counted: ReadonlyMap<string, string> = new Proxy(declared, {
    get: (map, name) => {
      if (name === "size") return map.size;
      const method: unknown = Reflect.get(map, name);
      if (typeof method !== "function") return method;
      return (...given: unknown[]) => {
        count += 1;
        return Reflect.apply(method, map, given) as unknown;
      };
    },
  });
  return { counted, count: () => count };
}

test("listed prefixes are resolved where something is declared, not at each element", async () => {
  const asked = async (leaves: number): Promise<number> => {
    const root = await readXml(`<r xmlns:q="u">${"<a/>".repeat(leaves)}</r>`);
    const { counted, count } = counting(root.scope.declared);
    const scope: Scope = { declared: counted, outer: undefined };
    const children = elementsIn(root).map((child) => ({ ...child, scope }));
    const form = canonicalize(
      { ...root, scope, children },
      Array.from({ length: 20 }, (_, at) => `p${at}`).concat("q"),
    );
    assert.equal(form, `<r xmlns:q="u">${"<a></a>".repeat(leaves)}</r>`);
    return count();
  };
  assert.equal(await asked(1_000), await asked(10));
});
