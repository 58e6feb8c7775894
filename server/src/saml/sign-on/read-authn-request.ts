import { minutes } from "../../base/clock.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import {
  attributeOf,
  bindings,
  childOf,
  flagOf,
  instantOf,
  nameIdFormats,
  SamlRefused,
  type XmlElement,
} from "../../base/saml/index.ts";
import { findConsumer } from "../../domain/saml-configuration/index.ts";
import { UntrustedRequest } from "../../oauth/index.ts";
import type { WebRequest } from "../../web/index.ts";
import { readRequestedContext } from "../authn-context.ts";
import { isDestination } from "../entity.ts";
import { isMessageId } from "../message-id.ts";
import type { ReadMessage } from "../read-message.ts";
import { SamlError } from "../status.ts";
import type { AuthnRequest, RefusedRequest, ResponseTarget } from "./authn-request.ts";

/** How old a request may be, and how far ahead the clock of its sender. */
const longestAge = minutes(10);
const clockSkew = minutes(3);

/**
 * Reads a request to sign a user in (SAML Core §3.4.1, SAML Profiles §4.1.4.1). What makes the request or its address
 * untrusted throws an OAuthError or UntrustedRequest, for a page. Every other error is for the service provider.
 */
export function readAuthnRequest(
  { call, instance, path }: WebRequest,
  read: ReadMessage,
  binding: "redirect" | "post",
): AuthnRequest | RefusedRequest {
  const { message } = read;
  const requestId = attributeOf(message, "ID") ?? "";
  if (!isMessageId(requestId)) throw invalid("the ID of the request is missing or malformed");
  if (!isDestination(attributeOf(message, "Destination"), instance.origin + path)) {
    throw invalid("Destination is not this endpoint");
  }
  const issuedAt = instantOf(message, "IssueInstant");
  if (issuedAt === undefined || issuedAt + longestAge <= call.now || issuedAt > call.now + clockSkew) {
    throw invalid("IssueInstant is missing, too old or in the future");
  }
  const target = { ...targetOf(read), requestId };
  try {
    return { ...target, binding, ...demandsOf(message) };
  } catch (error) {
    if (error instanceof SamlError) return { target, status: error.status };
    if (error instanceof SamlRefused) return { target, status: { code: "Requester", message: error.message } };
    throw error;
  }
}

const invalid = (description: string): OAuthError => new OAuthError("invalid_request", description);

/** Returns the address for the response. Only what the metadata has, compared exactly. */
function targetOf({ message, client, configuration, relayState }: ReadMessage): Omit<ResponseTarget, "requestId"> {
  const location = attributeOf(message, "AssertionConsumerServiceURL");
  const index = attributeOf(message, "AssertionConsumerServiceIndex");
  const binding = attributeOf(message, "ProtocolBinding");
  if (index !== undefined && !/^\d{1,5}$/.test(index)) throw invalid("AssertionConsumerServiceIndex is not a number");
  if (binding !== undefined && binding !== bindings.post) {
    throw invalid("ProtocolBinding is not HTTP-POST, the only binding for responses");
  }
  const consumer = findConsumer(configuration.partner, {
    location,
    index: index === undefined ? undefined : Number(index),
  });
  if (consumer === undefined) {
    throw new UntrustedRequest("authorize.redirect_uri_mismatch", {
      client,
      ...(location !== undefined && { redirectUri: location }),
      detail: "the assertion consumer service is not in the metadata",
    });
  }
  return { client, configuration, location: consumer.location, relayState };
}

type Demands = Pick<AuthnRequest, "isForced" | "isPassive" | "nameIdFormat" | "context" | "contextClasses">;

function demandsOf(message: XmlElement): Demands {
  requireVersion(message);
  // A request about one subject: only this user may be asserted, and we offer no means to say so to the login.
  if (childOf(message, "saml", "Subject") !== undefined) {
    throw new SamlError({ code: "Requester", detail: "RequestUnsupported", message: "Subject is not supported" });
  }
  return {
    isForced: flagOf(message, "ForceAuthn") ?? false,
    isPassive: flagOf(message, "IsPassive") ?? false,
    nameIdFormat: formatOf(message),
    ...readRequestedContext(message),
  };
}

function requireVersion(message: XmlElement): void {
  const version = attributeOf(message, "Version") ?? "";
  if (version === "2.0") return;
  const detail = /^[01]\./.test(version) ? "RequestVersionTooLow" : "RequestVersionTooHigh";
  throw new SamlError({ code: "VersionMismatch", detail });
}

const supportedFormats: readonly string[] = [
  nameIdFormats.emailAddress,
  nameIdFormats.persistent,
  nameIdFormats.transient,
];

/** Returns the requested format; undefined for any. */
function formatOf(message: XmlElement): string | undefined {
  const policy = childOf(message, "samlp", "NameIDPolicy");
  const format = policy && attributeOf(policy, "Format");
  if (format === undefined || format === "" || format === nameIdFormats.unspecified) return undefined;
  // Some libraries write the version of SAML that did not have the format yet.
  const written = format.replace("SAML:2.0:nameid-format:emailAddress", "SAML:1.1:nameid-format:emailAddress");
  if (supportedFormats.includes(written)) return written;
  throw new SamlError({ code: "Requester", detail: "InvalidNameIDPolicy" });
}
