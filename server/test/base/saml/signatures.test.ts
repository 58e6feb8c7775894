import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { before, test } from "node:test";
import { canonicalize } from "../../../src/base/saml/canonicalize.ts";
import {
  childOf,
  childrenOf,
  elementsIn,
  isSigned,
  onlyChildOf,
  readXml,
  type SamlAlgorithm,
  signElement,
  textIn,
  verifySignature,
  writeXml,
  type XmlElement,
  xml,
} from "../../../src/base/saml/index.ts";
import { namespaceIn } from "../../../src/base/saml/scope.ts";
import { assertionOf, createPartner, ellipticPair, isRefused, responseAround, signedText } from "./support.ts";

let partner: Awaited<ReturnType<typeof createPartner>>;
let stranger: typeof partner;
before(async () => {
  [partner, stranger] = await Promise.all([createPartner(), createPartner()]);
});

const rules = () => ({ keys: [partner.publicKey] });
const userOf = (assertion: XmlElement): string =>
  textIn(onlyChildOf(onlyChildOf(assertion, "saml", "Subject"), "saml", "NameID"));

test("what is returned is what was signed, without the signature", async () => {
  const read = await readXml(await signedText(assertionOf("alice"), partner.signer));
  assert.ok(isSigned(read));
  const covered = await verifySignature(read, rules());
  assert.equal(userOf(covered), "alice");
  assert.equal(isSigned(covered), false);
  await assert.rejects(verifySignature(covered, rules()), isRefused("unsigned"));
});

for (const algorithm of ["RSA-SHA256", "RSA-SHA384", "RSA-SHA512"] as const) {
  test(`${algorithm} is accepted`, async () => {
    const text = await signedText(assertionOf("alice"), { ...partner.signer, algorithm });
    assert.equal(userOf(await verifySignature(await readXml(text), rules())), "alice");
  });
}

for (const [algorithm, curve] of [
  ["ECDSA-SHA256", "prime256v1"],
  ["ECDSA-SHA384", "secp384r1"],
  ["ECDSA-SHA512", "secp521r1"],
] as const satisfies [SamlAlgorithm, string][]) {
  test(`${algorithm} is accepted`, async () => {
    const { key, publicKey } = ellipticPair(curve);
    const text = await signedText(assertionOf("alice"), { key, certificate: "", algorithm });
    assert.equal(userOf(await verifySignature(await readXml(text), { keys: [publicKey] })), "alice");
    await assert.rejects(verifySignature(await readXml(text), rules()), isRefused("signature"));
  });
}

test("SHA-1 is accepted only where the configuration says so", async () => {
  const read = await readXml(await signedText(assertionOf("alice"), { ...partner.signer, algorithm: "RSA-SHA1" }));
  await assert.rejects(verifySignature(read, rules()), isRefused("algorithm"));
  assert.equal(userOf(await verifySignature(read, { ...rules(), allowsSha1: true })), "alice");
});

test("a key that the message itself brings is not trusted", async () => {
  const read = await readXml(await signedText(assertionOf("mallory"), stranger.signer));
  await assert.rejects(verifySignature(read, rules()), isRefused("signature"));
  assert.equal(userOf(await verifySignature(read, { keys: [partner.publicKey, stranger.publicKey] })), "mallory");
});

test("a changed text, attribute, digest, value or method is refused", async () => {
  const good = await signedText(assertionOf("alice"), partner.signer);
  const changes: [RegExp, string][] = [
    [/alice/, "admin"],
    [/Version="2.0"/, `Version="2.1"`],
    [/(DigestValue>)./, "$1*"],
    [/(SignatureValue>)./, "$1*"],
    [/rsa-sha256/, "rsa-sha512"],
    [/xmlenc#sha256/, "xmlenc#sha512"],
  ];
  for (const [pattern, to] of changes) {
    const changed = good.replace(pattern, to.replace("*", good.match(pattern)?.[0].endsWith("A") ? "B" : "A"));
    assert.notEqual(changed, good);
    await assert.rejects(verifySignature(await readXml(changed), rules()), isRefused("signature"), `${pattern}`);
  }
});

test("HMAC with the certificate as its secret is refused, and so are unknown algorithms", async () => {
  const good = await signedText(assertionOf("alice"), partner.signer);
  for (const uri of [
    "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
    "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
    "none",
    "",
  ]) {
    const named = good.replace(/(<ds:SignatureMethod Algorithm=")[^"]*/, `$1${uri}`);
    const signedInfo = onlyChildOf(onlyChildOf(await readXml(named), "ds", "Signature"), "ds", "SignedInfo");
    const secret = partner.publicKey.export({ type: "spki", format: "pem" });
    const mac = createHmac("sha256", secret).update(canonicalize(signedInfo)).digest("base64");
    const forged = named.replace(/(<ds:SignatureValue>)[^<]*/, `$1${mac}`);
    await assert.rejects(verifySignature(await readXml(forged), rules()), isRefused("algorithm"));
  }
});

test("other transforms, canonical forms, references and a second of anything are refused", async () => {
  const good = await signedText(assertionOf("alice"), partner.signer);
  const reference = good.match(/<ds:Reference.*<\/ds:Reference>/)?.[0] ?? "";
  const signature = good.match(/<ds:Signature .*<\/ds:Signature>/)?.[0] ?? "";
  const exclusive = `<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"></ds:Transform>`;
  const changes: [string, string | RegExp, string][] = [
    ["no reference", reference, ""],
    ["two references", reference, reference + reference],
    ["the whole document", `URI="#_assertion"`, `URI=""`],
    ["no URI", `URI="#_assertion"`, ""],
    ["another element", `URI="#_assertion"`, `URI="#_other"`],
    ["a pointer", `URI="#_assertion"`, `URI="#xpointer(/)"`],
    ["another server", `URI="#_assertion"`, `URI="https://evil.example/#_assertion"`],
    [
      "XPath",
      exclusive,
      exclusive.replace(/Algorithm="[^"]*"/, `Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"`),
    ],
    [
      "XSLT",
      exclusive,
      exclusive.replace(/Algorithm="[^"]*"/, `Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"`),
    ],
    ["a third transform", exclusive, exclusive + exclusive],
    ["no exclusive transform", exclusive, ""],
    ["the inclusive form", /xml-exc-c14n#/g, "REC-xml-c14n-20010315"],
    ["the form with comments", /xml-exc-c14n#/g, "xml-exc-c14n#WithComments"],
    ["two signatures", signature, signature + signature],
    ["an object", "</ds:KeyInfo>", "</ds:KeyInfo><ds:Object></ds:Object>"],
    ["two SignedInfo", /(<ds:SignedInfo>.*<\/ds:SignedInfo>)/, "$1$1"],
    ["a value with an element inside", /(<ds:DigestValue>)/, "$1<x></x>"],
    ["a value that is not base64", /(<ds:SignatureValue>)/, "$1*"],
  ];
  for (const [what, from, to] of changes) {
    const changed = good.replace(from, to);
    assert.notEqual(changed, good, what);
    const read = await readXml(changed);
    await assert.rejects(verifySignature(read, rules()), (error) => isForm(error), what);
  }
});

const isForm = (error: unknown): boolean => {
  assert.match(String(error), /signature_form|unexpected_structure/);
  return true;
};

test("a digest with a comment in it is refused while it is read", async () => {
  const good = await signedText(assertionOf("alice"), partner.signer);
  const split = good.replace(/(<ds:DigestValue>)/, "$1<!-- x -->");
  await assert.rejects(readXml(split), isRefused("forbidden_markup"));
});

test("an element in the signature method, such as the length of an HMAC, is refused", async () => {
  const good = await signedText(assertionOf("alice"), partner.signer);
  const changed = good.replace(/(<ds:SignatureMethod[^>]*>)/, "$1<ds:HMACOutputLength>0</ds:HMACOutputLength>");
  await assert.rejects(verifySignature(await readXml(changed), rules()), isRefused("algorithm"));
});

// Signature wrapping (Somorovsky et al., "On Breaking SAML", 2012): a good signature of `alice`, moved so that a reader
// who is not careful takes `mallory`. Whatever a reader does with such a document, the covered element is the only one
// that verification returns.
const evil = (id = "_evil") => writeXml(assertionOf("mallory", id));

async function signedParts() {
  const text = await signedText(assertionOf("alice"), partner.signer);
  const signature = text.match(/<ds:Signature .*<\/ds:Signature>/)?.[0] ?? "";
  return { text, signature, bare: text.replace(signature, "") };
}

/** Verifies every assertion of a document, wherever it is. Returns the users that signatures cover. */
async function coveredUsers(root: XmlElement): Promise<string[]> {
  const users: string[] = [];
  const visit = async (element: XmlElement): Promise<void> => {
    if (element.name === "Assertion") {
      const covered = await verifySignature(element, rules()).catch(() => undefined);
      if (covered !== undefined) users.push(userOf(covered));
    }
    for (const child of elementsIn(element)) await visit(child);
  };
  await visit(root);
  return users;
}

test("wrapping: nothing but what was signed is ever covered", async () => {
  const { text, signature, bare } = await signedParts();
  const insideIssuer = (assertion: string, inside: string) =>
    assertion.replace("</saml:Issuer>", `</saml:Issuer>${inside}`);
  const within = (inside: string) =>
    signature.replace("</ds:Signature>", `<ds:Object>${inside}</ds:Object></ds:Signature>`);
  const wrapped: Record<string, string> = {
    "1: the forged one around the signature, the signed one inside of it": insideIssuer(evil(), within(bare)),
    "2: the signed one before a detached signature in the forged one": insideIssuer(evil(), bare + signature),
    "3: the forged one before the signed one": evil() + text,
    "4: the signed one inside the forged one": insideIssuer(evil(), text),
    "5: the signature in the forged one, the signed one after it": insideIssuer(evil(), signature) + bare,
    "6: the signed one inside of the signature in the forged one": insideIssuer(evil(), within(bare)),
    "7: the forged one in extensions": `<samlp:Extensions>${evil()}</samlp:Extensions>${text}`,
    "8: the signed one in an object of the signature": insideIssuer(evil(), within(text)),
  };
  for (const [name, document] of Object.entries(wrapped)) {
    const users = await coveredUsers(await responseAround(document));
    assert.ok(!users.includes("mallory"), name);
  }
  for (const intact of ["3", "4", "7"]) {
    const [name = ""] = Object.keys(wrapped).filter((key) => key.startsWith(intact));
    assert.deepEqual(await coveredUsers(await responseAround(wrapped[name] ?? "")), ["alice"], name);
  }
  // The same ID for both is refused before anything is verified.
  const same = insideIssuer(evil("_assertion"), signature) + bare;
  await assert.rejects(responseAround(same), isRefused("duplicate_id"));
  assert.deepEqual(await coveredUsers(await responseAround(text)), ["alice"]);
});

test("wrapping: the signature of a response covers the response, and none beside it", async () => {
  const response = xml("samlp:Response", { ID: "_response" }, [
    xml("saml:Issuer", {}, ["https://partner.example"]),
    assertionOf("alice"),
  ]);
  const text = await signedText(response, partner.signer);
  const read = await readXml(text);
  const [assertion] = childrenOf(await verifySignature(read, rules()), "saml", "Assertion");
  assert.ok(assertion);
  assert.equal(userOf(assertion), "alice");
  const added = text.replace("<saml:Assertion", `${evil()}<saml:Assertion`);
  await assert.rejects(verifySignature(await readXml(added), rules()), isRefused("signature"));
  const [unsigned] = childrenOf(read, "saml", "Assertion");
  assert.ok(unsigned);
  await assert.rejects(verifySignature(unsigned, rules()), isRefused("unsigned"));
});

test("a prefix that only an ancestor declares is part of what is signed when it is listed", async () => {
  const read = await readXml(
    `<root xmlns:xs="urn:xs"><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a" Type="xs:string"/></root>`,
  );
  const [inside] = elementsIn(read);
  assert.ok(inside);
  const covered = await verifySignature(await signElement(inside, partner.signer), rules());
  assert.equal(namespaceIn(covered.scope, "xs"), undefined);
  assert.equal(childOf(covered, "ds", "Signature"), undefined);
});

test("only elements with an ID are signed, and only with a key of the algorithm", async () => {
  await assert.rejects(signElement(xml("saml:Issuer"), partner.signer), TypeError);
  const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  await assert.rejects(signElement(assertionOf("alice"), { ...partner.signer, key }), TypeError);
});
