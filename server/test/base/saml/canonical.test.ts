import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalize } from "../../../src/base/saml/canonicalize.ts";
import { elementsIn, readXml } from "../../../src/base/saml/index.ts";

// Their declarations of types bring those of browsers with them, which would hold for the whole workspace.
const require = createRequire(import.meta.url);
const { DOMParser } = require("@xmldom/xmldom") as { readonly DOMParser: new () => Parser };
const { ExclusiveCanonicalization } = require("xml-crypto") as {
  readonly ExclusiveCanonicalization: new () => { process(node: ForeignNode, options: object): string };
};

interface Parser {
  parseFromString(text: string, type: "text/xml"): { readonly documentElement: ForeignNode };
}

interface ForeignNode {
  readonly nodeType: number;
  readonly childNodes: ArrayLike<ForeignNode>;
  readonly attributes: ArrayLike<{ readonly name: string; readonly value: string }>;
}

/** The canonical form of the first element inside the root, as another implementation writes it. */
function byOthers(document: string, inclusiveNamespacesPrefixList: readonly string[]): string {
  const root = new DOMParser().parseFromString(document, "text/xml").documentElement;
  const inside = Array.from(root.childNodes).find(({ nodeType }) => nodeType === 1);
  assert.ok(inside);
  const ancestorNamespaces = Array.from(root.attributes)
    .filter(({ name }) => name.startsWith("xmlns:"))
    .map(({ name, value }) => ({ prefix: name.slice(6), namespaceURI: value }));
  return new ExclusiveCanonicalization().process(inside, { inclusiveNamespacesPrefixList, ancestorNamespaces });
}

async function byUs(document: string, prefixes: readonly string[]): Promise<string> {
  const [inside] = elementsIn(await readXml(document));
  assert.ok(inside);
  return canonicalize(inside, prefixes);
}

const prefixes = ["p", "q", "r"];
const texts = fc.constantFrom("x", " ", "a&amp;b", "&lt;", "&gt;", "&#xD;", "\n", "ü", "&quot;", "]]&gt;");
const values = fc.constantFrom("1", "a&amp;b", "&lt;", "&quot;", "&#xA;", "&#x9;", "'", ">");
const attributes = fc.uniqueArray(fc.tuple(fc.constantFrom("b", "a", "p:a", "q:b", "r:c", "Z", "xml:lang"), values), {
  selector: ([name]) => name,
  maxLength: 5,
});
// Each prefix is bound to a namespace of its own, so that attributes are never repeated by another prefix.
const declarations = fc.uniqueArray(fc.tuple(fc.constantFrom(...prefixes), fc.constantFrom("1", "2")), {
  selector: ([prefix]) => prefix,
  maxLength: 3,
});
const write = (prefix: string, declared: string, given: readonly (readonly [string, string])[], inside: string) =>
  `<${prefix}e${declared}${given.map(([name, value]) => ` ${name}="${value}"`).join("")}>${inside}</${prefix}e>`;
const { element } = fc.letrec<{ element: string; inside: string }>((tie) => ({
  inside: fc.oneof({ depthSize: "small", withCrossShrink: true }, texts, tie("element")),
  element: fc
    .tuple(
      fc.constantFrom("", "p:", "q:"),
      declarations.map((all) => all.map(([prefix, version]) => ` xmlns:${prefix}="urn:${prefix}:${version}"`).join("")),
      fc.constantFrom("", ` xmlns="urn:d"`, ` xmlns=""`),
      attributes,
      fc.array(tie("inside"), { maxLength: 3 }),
    )
    .map(([prefix, declared, byDefault, given, inside]) => write(prefix, declared + byDefault, given, inside.join(""))),
}));

const around = (inside: string) => `<root xmlns:p="urn:p:1" xmlns:q="urn:q:1" xmlns:r="urn:r:1">${inside}</root>`;

test("canonical forms are those that xml-crypto writes", async () => {
  await fc.assert(
    fc.asyncProperty(element, async (inside) => {
      assert.equal(await byUs(around(inside), []), byOthers(around(inside), []));
    }),
    { numRuns: 300 },
  );
});

test("the same with a list of inclusive prefixes", async () => {
  await fc.assert(
    fc.asyncProperty(element, fc.subarray(prefixes), async (inside, inclusive) => {
      // xml-crypto knows one namespace for each listed prefix, that of the ancestors.
      const document = around(inside.replaceAll(":2", ":1"));
      assert.equal(await byUs(document, inclusive), byOthers(document, inclusive));
    }),
    { numRuns: 300 },
  );
});

test("a listed prefix has the namespace that holds at the element", async () => {
  assert.equal(await byUs(around(`<e xmlns:p="urn:p:2"/>`), ["p"]), `<e xmlns:p="urn:p:2"></e>`);
});

test("a prefix that is only used in a value is declared when it is listed", async () => {
  const document = `<root xmlns:xs="urn:xs"><a t="xs:string"/></root>`;
  assert.equal(await byUs(document, ["xs"]), `<a xmlns:xs="urn:xs" t="xs:string"></a>`);
  assert.equal(await byUs(document, []), `<a t="xs:string"></a>`);
});
