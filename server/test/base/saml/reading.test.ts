import assert from "node:assert/strict";
import { test } from "node:test";
import {
  attributeOf,
  childOf,
  childrenOf,
  elementsIn,
  flagOf,
  instantOf,
  isNamed,
  namespaces,
  onlyChildOf,
  readXml,
  textIn,
  writeXml,
  xml,
} from "../../../src/base/saml/index.ts";
import { isRefused } from "./support.ts";

const issuer = (text: string) => `<a:Issuer xmlns:a="${namespaces.saml}">${text}</a:Issuer>`;

test("a document is read by namespaces and names, whatever its prefixes", async () => {
  const root = await readXml(`<?xml version="1.0" encoding="utf-8"?>\n<Issuer xmlns="${namespaces.saml}" a="1"/>\n`);
  assert.ok(isNamed(root, "saml", "Issuer"));
  assert.equal(attributeOf(root, "a"), "1");
  const other = await readXml(issuer("x &amp; &#x79;"));
  assert.ok(isNamed(other, "saml", "Issuer"));
  assert.equal(textIn(other), "x & y");
  assert.equal(isNamed(await readXml("<Issuer/>"), "saml", "Issuer"), false);
});

for (const [what, document] of Object.entries({
  "a DTD": `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`,
  "a DTD without content": "<!DOCTYPE a><a/>",
  "a bomb of entities": `<!DOCTYPE a [<!ENTITY b "cccc"><!ENTITY d "&b;&b;&b;&b;">]><a>&d;</a>`,
  "an external entity": `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`,
  "a comment in a text": issuer("user@a.example<!-- -->.evil.example"),
  "a comment before the root": "<!-- --><a/>",
  "a processing instruction in a text": issuer("user@a.example<?x y?>.evil.example"),
  "a style sheet": `<?xml-stylesheet href="x"?><a/>`,
  CDATA: issuer("<![CDATA[x]]>"),
})) {
  test(`${what} is refused`, async () => {
    await assert.rejects(readXml(document), isRefused("forbidden_markup"));
  });
}

for (const [what, document] of Object.entries({
  nothing: "",
  "a text": "x",
  "two roots": "<a/><a/>",
  "an unknown entity": "<a>&b;</a>",
  "an open element": "<a><b></a>",
  "a repeated attribute": `<a b="1" b="2"/>`,
  "an attribute repeated by another prefix": `<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>`,
  "an unbound prefix": "<p:a/>",
  "a control character": "<a>\u0001</a>",
  "another encoding": `<?xml version="1.0" encoding="ISO-8859-1"?><a/>`,
  "XML 1.1": `<?xml version="1.1"?><a/>`,
  "bytes that are not UTF-8": Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]),
})) {
  test(`${what}: malformed`, async () => {
    await assert.rejects(readXml(document), isRefused("malformed"));
  });
}

for (const [one, other] of [
  ["ID", "ID"],
  ["ID", "Id"],
  ["id", "xml:id"],
]) {
  test(`the same value as ${one} and ${other} is refused`, async () => {
    await assert.rejects(readXml(`<a ${one}="x"><b ${other}="x"/></a>`), isRefused("duplicate_id"));
    await readXml(`<a ${one}="x"><b ${other}="y"/></a>`);
  });
}

test("comments are skipped where people wrote the document, and texts are whole", async () => {
  const root = await readXml(issuer("user@a.example<!-- -->.evil.example"), { skipsComments: true });
  assert.equal(textIn(root), "user@a.example.evil.example");
});

test("an element that should occur once is refused when it is missing or repeated", async () => {
  const twice = await readXml(`<a>${issuer("x")}${issuer("y")}<c/></a>`);
  assert.throws(() => childOf(twice, "saml", "Issuer"), isRefused("unexpected_structure"));
  assert.throws(() => onlyChildOf(twice, "saml", "Issuer"), isRefused("unexpected_structure"));
  assert.throws(() => onlyChildOf(twice, "saml", "Subject"), isRefused("unexpected_structure"));
  assert.throws(() => textIn(twice), isRefused("unexpected_structure"));
  assert.equal(childOf(twice, "saml", "Subject"), undefined);
  assert.equal(childrenOf(twice, "saml", "Issuer").length, 2);
  assert.equal(elementsIn(twice).length, 3);
});

test("booleans and instants are read in their standard forms only", async () => {
  const root = await readXml(
    `<a t="1" f="false" b="yes" i="2026-11-27T20:00:00.5Z" j="2026-11-27" k="2026-13-27T20:00:00Z"/>`,
  );
  assert.equal(flagOf(root, "t"), true);
  assert.equal(flagOf(root, "f"), false);
  assert.equal(flagOf(root, "none"), undefined);
  assert.throws(() => flagOf(root, "b"), isRefused("malformed"));
  assert.equal(instantOf(root, "i"), Date.UTC(2026, 10, 27, 20, 0, 0, 500));
  assert.equal(instantOf(root, "none"), undefined);
  for (const name of ["j", "k"]) assert.throws(() => instantOf(root, name), isRefused("malformed"));
});

test("what is written is escaped, and comes back", async () => {
  const hostile = `"><x a='1'>&amp;\t\r\n]]>`;
  const root = await readXml(writeXml(xml("saml:Attribute", { Name: hostile }, [hostile])));
  assert.equal(attributeOf(root, "Name"), hostile);
  assert.equal(root.children.join(""), hostile);
  const control = await readXml(writeXml(xml("saml:Issuer", {}, ["a\u0000b\ud800"])));
  assert.equal(textIn(control), "a\ufffdb\ufffd");
});
