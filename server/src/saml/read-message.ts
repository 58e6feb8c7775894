import { OAuthError } from "../base/oauth-error.ts";
import {
  attributeOf,
  isNamed,
  isSigned,
  onlyChildOf,
  readCertificate,
  readPost,
  readRedirect,
  readXml,
  type SamlParameter,
  SamlRefused,
  textIn,
  verifyRedirect,
  verifySignature,
  type XmlElement,
} from "../base/saml/index.ts";
import type { WebRequest } from "../web/index.ts";
import type { SamlDeps } from "./deps.ts";
import { findPartner, type PartnerClient } from "./find-partner.ts";
import type { SentMessage } from "./sent-message.ts";

/** A message, its sender, and how far it is proven to be theirs. */
export interface ReadMessage extends PartnerClient {
  /** All that may be read: of a signed document, only what the signature covers. */
  readonly message: XmlElement;
  readonly isSigned: boolean;
  readonly relayState: string | undefined;
}

/** What a message is, and whether it has to be signed. */
export interface MessageRules {
  readonly name: "AuthnRequest" | "LogoutRequest" | "LogoutResponse";
  readonly parameter: SamlParameter;
  readonly isSignatureRequired: (partner: PartnerClient) => boolean;
}

/** SAML Bindings §3.4.3 allows 80 bytes; service providers send more, and get back what they sent. */
const longestRelayState = 1024;

/**
 * Reads a message, finds its sender by the issuer, and proves its signature with the sender's stored keys. Throws
 * SamlRefused, OAuthError or UntrustedRequest, which are shown on a page (`page-reason.ts`): nothing proves yet where
 * an error could be sent.
 */
export async function readMessage(
  deps: Pick<SamlDeps, "database" | "clients">,
  request: WebRequest,
  sent: SentMessage,
  rules: MessageRules,
): Promise<ReadMessage> {
  return (sent.binding === "post" ? readPosted : readQuery)(deps, request, sent, rules);
}

async function readPosted(
  deps: Pick<SamlDeps, "database" | "clients">,
  { call }: WebRequest,
  { parameters }: SentMessage,
  rules: MessageRules,
): Promise<ReadMessage> {
  const document = await readXml(readPost(parameters.get(rules.parameter) ?? "", "request"), { kind: "request" });
  const relayState = acceptRelayState(parameters.get("RelayState"));
  const partner = await findPartner(deps, call, issuerOf(document, rules));
  if (!isSigned(document)) {
    requireNoSignature(rules, partner);
    return { ...partner, message: document, isSigned: false, relayState };
  }
  const message = await verifySignature(document, { keys: keysOf(partner), kind: "request" });
  // Read again, from what was signed.
  if (issuerOf(message, rules) !== partner.configuration.partner.entityId)
    throw new SamlRefused("unexpected_structure");
  return { ...partner, message, isSigned: true, relayState };
}

async function readQuery(
  deps: Pick<SamlDeps, "database" | "clients">,
  { call, query }: WebRequest,
  _: SentMessage,
  rules: MessageRules,
): Promise<ReadMessage> {
  const redirected = await readRedirect(query, rules.parameter);
  const message = await readXml(redirected.message, { kind: "request" });
  const relayState = acceptRelayState(redirected.relayState);
  const partner = await findPartner(deps, call, issuerOf(message, rules));
  if (redirected.signature === undefined) {
    // With this binding the query is signed (SAML Bindings §3.4.4.1). A signature inside of the message proves nothing.
    if (isSigned(message)) throw new SamlRefused("signature_form");
    requireNoSignature(rules, partner);
    return { ...partner, message, isSigned: false, relayState };
  }
  // It covers all of the message, also a second signature that some service providers leave inside.
  verifyRedirect(redirected, { keys: keysOf(partner) });
  return { ...partner, message, isSigned: true, relayState };
}

// SAML Core §2.2.5: the format of an issuer is that of entities, where it is given.
function issuerOf(message: XmlElement, { name }: MessageRules): string {
  if (!isNamed(message, "samlp", name)) throw new SamlRefused("unexpected_structure");
  const issuer = onlyChildOf(message, "saml", "Issuer");
  const format = attributeOf(issuer, "Format");
  if (format !== undefined && format !== "urn:oasis:names:tc:SAML:2.0:nameid-format:entity") {
    throw new SamlRefused("unexpected_structure");
  }
  return textIn(issuer);
}

const keysOf = ({ configuration }: PartnerClient) =>
  configuration.partner.signingCertificates.map((certificate) => readCertificate(certificate).key);

function requireNoSignature(rules: MessageRules, partner: PartnerClient): void {
  if (rules.isSignatureRequired(partner)) throw new SamlRefused("unsigned");
}

function acceptRelayState(relayState: string | undefined): string | undefined {
  if (relayState === undefined) return undefined;
  if (Buffer.byteLength(relayState) > longestRelayState || relayState.includes("\0")) {
    throw new OAuthError("invalid_request", `RelayState has more than ${longestRelayState} bytes`);
  }
  return relayState;
}
