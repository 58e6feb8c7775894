import { createHash, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import { cryptoInput, digestUri, type SamlAlgorithm, schemeOf } from "./algorithms.ts";
import { encodeBase64 } from "./base64.ts";
import { xml } from "./build-xml.ts";
import { canonicalize, exclusiveCanonicalization } from "./canonicalize.ts";
import { attributeOf, isNamed, type XmlElement } from "./xml-element.ts";

const signInPool = promisify(sign);

/** A key of ours with which messages are signed. */
export interface SamlSigner {
  readonly key: KeyObject;
  /** DER in base64; partners compare it with our metadata. */
  readonly certificate: string;
  readonly algorithm: SamlAlgorithm;
}

/** Signs bytes in the thread pool, as XML signatures need them. Throws TypeError for a key of another type. */
export async function signBytes(bytes: string, { key, algorithm }: Pick<SamlSigner, "key" | "algorithm">) {
  const scheme = schemeOf(algorithm);
  const input = cryptoInput(key, scheme);
  if (input === undefined) throw new TypeError(`the key is not one for ${algorithm}`);
  return encodeBase64(await signInPool(scheme.hash, Buffer.from(bytes, "utf8"), input));
}

/**
 * Returns an element with its signature (SAML Core §5.4), which follows the issuer where the element has one. The
 * element needs an ID. It was built with `xml`, or read.
 */
export async function signElement(element: XmlElement, signer: SamlSigner): Promise<XmlElement> {
  const id = attributeOf(element, "ID");
  if (id === undefined) throw new TypeError("an element without an ID cannot be signed");
  const { hash, uri } = schemeOf(signer.algorithm);
  const digest = createHash(hash).update(canonicalize(element), "utf8").digest();
  const signedInfo = xml("ds:SignedInfo", {}, [
    xml("ds:CanonicalizationMethod", { Algorithm: exclusiveCanonicalization }),
    xml("ds:SignatureMethod", { Algorithm: uri }),
    xml("ds:Reference", { URI: `#${id}` }, [
      xml("ds:Transforms", {}, [
        xml("ds:Transform", { Algorithm: "http://www.w3.org/2000/09/xmldsig#enveloped-signature" }),
        xml("ds:Transform", { Algorithm: exclusiveCanonicalization }),
      ]),
      xml("ds:DigestMethod", { Algorithm: digestUri(hash) }),
      xml("ds:DigestValue", {}, [encodeBase64(digest)]),
    ]),
  ]);
  const signature = xml("ds:Signature", {}, [
    signedInfo,
    xml("ds:SignatureValue", {}, [await signBytes(canonicalize(signedInfo), signer)]),
    xml("ds:KeyInfo", {}, [xml("ds:X509Data", {}, [xml("ds:X509Certificate", {}, [signer.certificate])])]),
  ]);
  const [first, ...others] = element.children;
  const isIssuer = first !== undefined && typeof first !== "string" && isNamed(first, "saml", "Issuer");
  const children = isIssuer ? [first, signature, ...others] : [signature, ...element.children];
  return { ...element, children };
}
