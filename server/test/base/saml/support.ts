import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { systemRandom } from "../../../src/base/random.ts";
import {
  generateSamlKeyPair,
  readXml,
  type SamlAlgorithm,
  type SamlRefusal,
  SamlRefused,
  type SamlSigner,
  signElement,
  writeXml,
  type XmlElement,
  xml,
} from "../../../src/base/saml/index.ts";

export const now = Date.UTC(2026, 10, 27, 20);

/** A partner with a key and its certificate. */
export async function createPartner(algorithm: SamlAlgorithm = "RSA-SHA256") {
  const times = { notBefore: now, notAfter: now + 86_400_000 };
  const pair = await generateSamlKeyPair({ random: systemRandom, commonName: "partner.example", ...times });
  const key = createPrivateKey(pair.privateKey.reveal());
  const signer: SamlSigner = { key, certificate: pair.certificate, algorithm };
  return { ...pair, key, publicKey: createPublicKey(key), signer };
}

export function ellipticPair(namedCurve: string): { readonly key: KeyObject; readonly publicKey: KeyObject } {
  const { privateKey: key, publicKey } = generateKeyPairSync("ec", { namedCurve });
  return { key, publicKey };
}

export const isRefused =
  (reason: SamlRefusal) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof SamlRefused, String(error));
    assert.equal(error.reason, reason);
    return true;
  };

/** An assertion that names a user. */
export const assertionOf = (user: string, id = "_assertion"): XmlElement =>
  xml("saml:Assertion", { ID: id, Version: "2.0" }, [
    xml("saml:Issuer", {}, ["https://partner.example"]),
    xml("saml:Subject", {}, [xml("saml:NameID", {}, [user])]),
  ]);

/** A signed assertion as a text. */
export const signedText = async (element: XmlElement, signer: SamlSigner): Promise<string> =>
  writeXml(await signElement(element, signer));

/** Reads a text and wraps it, as an attacker does. */
export const responseAround = (inside: string): Promise<XmlElement> =>
  readXml(
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_response">${inside}</samlp:Response>`,
  );
