import { createHash, type KeyObject, timingSafeEqual, verify } from "node:crypto";
import { cryptoInput, digestNamed, schemeNamed } from "./algorithms.ts";
import { decodeBase64 } from "./base64.ts";
import { canonicalize, exclusiveCanonicalization } from "./canonicalize.ts";
import { type DocumentKind, documentLimits } from "./document-limits.ts";
import { readXml } from "./read-xml.ts";
import { SamlRefused } from "./saml-refused.ts";
import { attributeOf, childrenOf, elementsIn, isNamed, textIn, type XmlElement } from "./xml-element.ts";

/** What a signature is verified with. */
export interface SignatureRules {
  /** The keys in the partner's stored metadata. What a message says about its own key is never read. */
  readonly keys: readonly KeyObject[];
  /** Whether SHA-1 is accepted, because the partner's configuration says so. */
  readonly allowsSha1?: boolean;
  /** What the document is that the element was read from; a response when absent. */
  readonly kind?: DocumentKind;
}

/** Different prefixes that `InclusiveNamespaces` may list, and characters of the list. */
const mostPrefixes = 20;
const longestPrefixList = 2_048;
/** Characters of the canonical form of `SignedInfo`: a dozen elements, with algorithms and one digest. */
const longestSignedInfo = 16_384;

const envelopedSignature = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
const inclusiveNamespaces = exclusiveCanonicalization;

/** Whether an element has a signature of its own. */
export const isSigned = (element: XmlElement): boolean => childrenOf(element, "ds", "Signature").length > 0;

/**
 * Returns what the signature of an element covers: the element, read again from the bytes whose digest was signed,
 * without the signature itself. Nothing else of the document may be read afterwards. The signature is the only one
 * directly inside the element, and its only reference is the ID of that element. Its value is proven first, over
 * `SignedInfo`, which is short: strangers cannot have the document made canonical. Throws SamlRefused.
 */
export async function verifySignature(element: XmlElement, rules: SignatureRules): Promise<XmlElement> {
  const [signature, ...others] = childrenOf(element, "ds", "Signature");
  if (signature === undefined) throw new SamlRefused("unsigned");
  if (others.length > 0) throw new SamlRefused("signature_form");
  const { signedInfo, value } = partsOf(signature);
  const [method, signatureMethod, reference, ...rest] = elementsIn(signedInfo);
  const isForm =
    rest.length === 0 &&
    isDs(method, "CanonicalizationMethod") &&
    isDs(signatureMethod, "SignatureMethod") &&
    isDs(reference, "Reference");
  if (!isForm) throw new SamlRefused("signature_form");
  const referred = readReference(element, reference, rules.allowsSha1 === true);
  const scheme = schemeNamed(attributeOf(signatureMethod, "Algorithm"), rules.allowsSha1 === true);
  // A parameter of the method (the length of an HMAC, for example) has no meaning here.
  if (scheme === undefined || elementsIn(signatureMethod).length > 0) throw new SamlRefused("algorithm");
  const signed = Buffer.from(canonicalize(signedInfo, prefixesOf(method), longestSignedInfo), "utf8");
  const isGood = rules.keys.some((key) => {
    const input = cryptoInput(key, scheme);
    return input !== undefined && verify(scheme.hash, signed, input, value);
  });
  if (!isGood) throw new SamlRefused("signature");
  const kind = rules.kind ?? "response";
  const bare = { ...element, children: element.children.filter((child) => child !== signature) };
  return readXml(coveredText(bare, referred, documentLimits[kind].bytes), { kind });
}

const isDs = (element: XmlElement | undefined, name: string): element is XmlElement =>
  element !== undefined && isNamed(element, "ds", name);

function partsOf(signature: XmlElement): { readonly signedInfo: XmlElement; readonly value: Buffer } {
  const [signedInfo, signatureValue, keyInfo, ...others] = elementsIn(signature);
  const isForm =
    others.length === 0 &&
    isDs(signedInfo, "SignedInfo") &&
    isDs(signatureValue, "SignatureValue") &&
    (keyInfo === undefined || isDs(keyInfo, "KeyInfo"));
  if (!isForm) throw new SamlRefused("signature_form");
  return { signedInfo, value: base64In(signatureValue) };
}

/** What a reference says of the element that it covers. */
interface Reference {
  readonly prefixes: ReadonlySet<string>;
  readonly hash: string;
  readonly digest: Buffer;
}

function readReference(element: XmlElement, reference: XmlElement, allowsSha1: boolean): Reference {
  // SAML Core §5.4.2: the reference names the ID of the element that the signature is in.
  const id = attributeOf(element, "ID");
  if (id === undefined || id === "" || attributeOf(reference, "URI") !== `#${id}`) {
    throw new SamlRefused("signature_form");
  }
  const [transforms, digestMethod, digestValue, ...others] = elementsIn(reference);
  const isForm =
    others.length === 0 &&
    isDs(transforms, "Transforms") &&
    isDs(digestMethod, "DigestMethod") &&
    isDs(digestValue, "DigestValue") &&
    elementsIn(digestMethod).length === 0;
  if (!isForm) throw new SamlRefused("signature_form");
  const hash = digestNamed(attributeOf(digestMethod, "Algorithm"), allowsSha1);
  if (hash === undefined) throw new SamlRefused("algorithm");
  return { prefixes: prefixesOfTransforms(transforms), hash, digest: base64In(digestValue) };
}

/** Returns the text that a reference covers, once its digest is proven to be that of the reference. */
function coveredText(bare: XmlElement, { prefixes, hash, digest: expected }: Reference, largest: number): string {
  const text = canonicalize(bare, prefixes, largest);
  const digest = createHash(hash).update(text, "utf8").digest();
  if (expected.length !== digest.length || !timingSafeEqual(expected, digest)) throw new SamlRefused("signature");
  return text;
}

// SAML Core §5.4.4: these two transforms and no others.
function prefixesOfTransforms(transforms: XmlElement): ReadonlySet<string> {
  const [enveloped, exclusive, ...others] = elementsIn(transforms);
  const isForm =
    others.length === 0 &&
    isDs(enveloped, "Transform") &&
    isDs(exclusive, "Transform") &&
    attributeOf(enveloped, "Algorithm") === envelopedSignature &&
    elementsIn(enveloped).length === 0;
  if (!isForm) throw new SamlRefused("signature_form");
  return prefixesOf(exclusive);
}

/**
 * Returns the prefixes that a canonicalization lists. Throws SamlRefused for any but the exclusive one, and for more
 * than `mostPrefixes`.
 */
function prefixesOf(method: XmlElement): ReadonlySet<string> {
  if (attributeOf(method, "Algorithm") !== exclusiveCanonicalization) throw new SamlRefused("signature_form");
  const [inclusive, ...others] = elementsIn(method);
  if (inclusive === undefined) return new Set();
  const isList = inclusive.name === "InclusiveNamespaces" && inclusive.namespace === inclusiveNamespaces;
  const text = attributeOf(inclusive, "PrefixList") ?? "";
  const isBare = others.length === 0 && elementsIn(inclusive).length === 0;
  if (!isBare || !isList || text.length > longestPrefixList) throw new SamlRefused("signature_form");
  const listed = text.split(/\s+/).filter((prefix) => prefix !== "");
  const prefixes = new Set(listed.map((prefix) => (prefix === "#default" ? "" : prefix)));
  if (prefixes.size > mostPrefixes) throw new SamlRefused("signature_form");
  return prefixes;
}

function base64In(element: XmlElement): Buffer {
  const bytes = decodeBase64(textIn(element));
  if (bytes === undefined) throw new SamlRefused("signature_form");
  return bytes;
}
