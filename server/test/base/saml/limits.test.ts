import assert from "node:assert/strict";
import { createHash, type KeyObject, sign } from "node:crypto";
import { test } from "node:test";
import { canonicalize } from "../../../src/base/saml/canonicalize.ts";
import { createDocumentCounts, type DocumentKind } from "../../../src/base/saml/document-limits.ts";
import {
  documentLimits,
  elementsIn,
  onlyChildOf,
  readXml,
  verifySignature,
  type XmlElement,
} from "../../../src/base/saml/index.ts";
import { namespaceIn, type Scope } from "../../../src/base/saml/scope.ts";
import { assertionOf, createPartner, isRefused, signedText } from "./support.ts";

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

/** A signed assertion whose transform lists prefixes, and one of them is declared further out. */
async function listing(partner: Awaited<ReturnType<typeof createPartner>>, list: string): Promise<XmlElement> {
  const given = await signedText(assertionOf("alice"), partner.signer);
  const transform = `Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"></ds:Transform>`;
  const inclusive = `<ec:InclusiveNamespaces xmlns:ec="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="${list}"/>`;
  const listed = given.replace(transform, transform.replace("></", `>${inclusive}</`));
  const read = async (text: string): Promise<XmlElement> => {
    const [inside] = elementsIn(await readXml(`<root xmlns:p0="urn:p0">${text}</root>`));
    assert.ok(inside);
    return inside;
  };
  const element = await read(listed);
  const bare = {
    ...element,
    children: element.children.filter((child) => typeof child === "string" || child.name !== "Signature"),
  };
  const digest = createHash("sha256")
    .update(canonicalize(bare, list.split(" ")))
    .digest("base64");
  const digested = listed.replace(/(<ds:DigestValue>)[^<]*/, `$1${digest}`);
  const signedInfo = onlyChildOf(onlyChildOf(await read(digested), "ds", "Signature"), "ds", "SignedInfo");
  const value = sign("sha256", Buffer.from(canonicalize(signedInfo)), partner.key).toString("base64");
  return read(digested.replace(/(<ds:SignatureValue>)[^<]*/, `$1${value}`));
}

test("a signature may list twenty different prefixes, and no more", async () => {
  const partner = await createPartner();
  const rules = { keys: [partner.publicKey] };
  const prefixes = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`).join(" ");
  const covered = await verifySignature(await listing(partner, prefixes(20)), rules);
  assert.equal(namespaceIn(covered.scope, "p0"), "urn:p0");
  await verifySignature(await listing(partner, `${prefixes(20)} p0 p0`), rules);
  for (const list of [prefixes(21), "p0 ".repeat(683), `${"p".repeat(2_049)}`]) {
    await assert.rejects(verifySignature(await listing(partner, list), rules), isRefused("signature_form"));
  }
});

test("a document is made canonical only once its signature is proven to be one of the partner", async () => {
  const [partner, stranger] = [await createPartner(), await createPartner()];
  const read = await readXml(await signedText(assertionOf("alice"), partner.signer));
  let visits = 0;
  const children = read.children.map((child) =>
    typeof child === "string" || child.name !== "Subject"
      ? child
      : {
          ...child,
          get attributes() {
            visits += 1;
            return child.attributes;
          },
        },
  );
  const verify = (key: KeyObject) => verifySignature({ ...read, children }, { keys: [key] });
  await assert.rejects(verify(stranger.publicKey), isRefused("signature"));
  assert.equal(visits, 0);
  await verify(partner.publicKey);
  assert.ok(visits > 0);
});

test("SignedInfo is as short as its form allows", async () => {
  const partner = await createPartner();
  const good = await signedText(assertionOf("alice"), partner.signer);
  const long = good.replace("<ds:SignedInfo>", `<ds:SignedInfo>${" ".repeat(16_384)}`);
  await assert.rejects(verifySignature(await readXml(long), { keys: [partner.publicKey] }), isRefused("too_large"));
  const within = good.replace(
    `<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#">`,
    `$&<ec:InclusiveNamespaces xmlns:ec="http://www.w3.org/2001/10/xml-exc-c14n#"><a/></ec:InclusiveNamespaces>`,
  );
  assert.notEqual(within, good);
  await assert.rejects(
    verifySignature(await readXml(within), { keys: [partner.publicKey] }),
    isRefused("signature_form"),
  );
});
