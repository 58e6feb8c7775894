import type { KeyObject } from "node:crypto";
import { type Instant, seconds } from "../../base/clock.ts";
import {
  attributeOf,
  childOf,
  childrenOf,
  decryptElement,
  isNamed,
  isSigned,
  onlyChildOf,
  readCertificate,
  readXml,
  SamlRefused,
  type SignatureRules,
  statusCodes,
  textIn,
  verifySignature,
  type XmlElement,
} from "../../base/saml/index.ts";
import type { SamlPartner } from "../identity-provider/index.ts";
import { ProviderRefused } from "./provider-refused.ts";
import type { SamlAddresses } from "./saml-addresses.ts";

/** What an answer of a SAML provider has to match. */
export interface SamlResponseRules {
  readonly partner: SamlPartner;
  readonly addresses: SamlAddresses;
  /** The ID of the request that it answers. */
  readonly requestId: string;
  readonly now: Instant;
  /** Decrypts assertions. */
  readonly key: KeyObject;
  readonly allowsSha1: boolean;
}

/** Allowance for clock differences. */
export const samlClockSkew = seconds(60);

/**
 * Returns the assertion in a response (SAML Profiles §4.1.4.2–3): covered by a signature of the provider, as it was
 * signed. The signature is that of the response, or of its only assertion. What is around a signed assertion is not
 * proven: it may only be a reason to refuse. Throws SamlRefused or ProviderRefused.
 */
export async function readSamlResponse(message: Buffer, rules: SamlResponseRules): Promise<XmlElement> {
  const root = await readXml(message);
  if (!isNamed(root, "samlp", "Response")) throw new SamlRefused("unexpected_structure");
  const { partner, key, allowsSha1 } = rules;
  const keys = partner.signingCertificates.map((certificate) => readCertificate(certificate).key);
  const signature = { keys, allowsSha1 };
  const isProven = isSigned(root);
  const response = isProven ? await verifySignature(root, signature) : root;
  checkEnvelope(response, rules, isProven);
  const [assertion, ...more] = [
    ...childrenOf(response, "saml", "Assertion"),
    ...childrenOf(response, "saml", "EncryptedAssertion"),
  ];
  if (assertion === undefined || more.length > 0) throw new SamlRefused("unexpected_structure");
  // A ciphertext that was signed is the provider's own: CBC is no oracle then.
  const clear = isNamed(assertion, "saml", "EncryptedAssertion")
    ? await decryptElement(assertion, { keys: [key], allowsCbc: isProven })
    : assertion;
  if (!isNamed(clear, "saml", "Assertion")) throw new SamlRefused("unexpected_structure");
  return coveredAssertion(clear, signature, isProven);
}

// A signature of its own has to be good even where that of the response covers the assertion.
const coveredAssertion = async (
  assertion: XmlElement,
  rules: SignatureRules,
  isProven: boolean,
): Promise<XmlElement> => (isProven && !isSigned(assertion) ? assertion : verifySignature(assertion, rules));

/** Refuses a response that says it is for another request, of another issuer, or for another address. */
function checkEnvelope(response: XmlElement, rules: SamlResponseRules, isProven: boolean): void {
  const { partner, addresses, requestId } = rules;
  if (attributeOf(response, "Version") !== "2.0") throw new SamlRefused("unexpected_structure");
  const issuer = childOf(response, "saml", "Issuer");
  if (issuer !== undefined && textIn(issuer) !== partner.entityId) throw new ProviderRefused("issuer_mismatch");
  // SAML Bindings §3.5.5.2: a signed message names its destination.
  const destination = attributeOf(response, "Destination");
  if (destination === undefined ? isProven : destination !== addresses.consumer) {
    throw new ProviderRefused("token_refused", "destination");
  }
  const inResponseTo = attributeOf(response, "InResponseTo");
  if (inResponseTo !== undefined && inResponseTo !== requestId) {
    throw new ProviderRefused("token_refused", "in_response_to");
  }
  const status = onlyChildOf(onlyChildOf(response, "samlp", "Status"), "samlp", "StatusCode");
  if (attributeOf(status, "Value") !== statusCodes.success) throw new ProviderRefused("denied");
}
