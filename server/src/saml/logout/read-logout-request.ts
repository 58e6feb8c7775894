import { type Instant, minutes, seconds } from "../../base/clock.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import {
  attributeOf,
  childOf,
  childrenOf,
  instantOf,
  nameIdFormats,
  onlyChildOf,
  textIn,
} from "../../base/saml/index.ts";
import type { WebRequest } from "../../web/index.ts";
import { isMessageId } from "../message-id.ts";
import type { ReadMessage } from "../read-message.ts";
import type { NameId } from "../response/name-id.ts";
import { SamlError } from "../status.ts";

/** A request of a service provider to end sessions of a user (SAML Core §3.7.1). */
export interface LogoutRequest {
  readonly requestId: string;
  readonly nameId: { readonly value: string; readonly format: string | undefined };
  /** The sessions; all that the service provider has in this browser, when there are none. */
  readonly sessionIds: readonly string[];
  /** Sessions that began later are not meant. */
  readonly until: Instant;
}

const longestAge = minutes(10);
const clockSkew = minutes(3);
// A service provider whose clock is behind ends a session right after it began.
const shortSkew = seconds(30);
const mostSessions = 20;

/** Returns the ID of a request, once it is clear that it is for us and recent. Throws an OAuthError, for a page. */
export function readRequestId({ call, instance, path }: WebRequest, { message }: ReadMessage): string {
  const requestId = attributeOf(message, "ID") ?? "";
  if (!isMessageId(requestId)) throw invalid("the ID of the request is missing or malformed");
  // SAML Bindings §3.4.5.2: a signed message names it. Otherwise one for another identity provider would do.
  if (attributeOf(message, "Destination") !== instance.origin + path) {
    throw invalid("Destination is not this endpoint");
  }
  const issuedAt = instantOf(message, "IssueInstant");
  const end = instantOf(message, "NotOnOrAfter");
  const isOld = issuedAt === undefined || issuedAt + longestAge <= call.now || issuedAt > call.now + clockSkew;
  if (isOld || (end !== undefined && end + clockSkew <= call.now)) {
    throw invalid("IssueInstant is missing, too old or in the future");
  }
  return requestId;
}

const invalid = (description: string): OAuthError => new OAuthError("invalid_request", description);

/** Reads whose sessions are meant. Throws a SamlError for what is not supported. */
export function readLogoutRequest({ message }: ReadMessage, requestId: string): LogoutRequest {
  if (attributeOf(message, "Version") !== "2.0") throw new SamlError({ code: "VersionMismatch" });
  if (childOf(message, "saml", "NameID") === undefined) {
    throw new SamlError({ code: "Requester", detail: "RequestUnsupported", message: "a NameID is needed" });
  }
  const element = onlyChildOf(message, "saml", "NameID");
  const sessionIds = childrenOf(message, "samlp", "SessionIndex").map(textIn);
  if (sessionIds.length > mostSessions) throw new SamlError({ code: "Requester", detail: "RequestUnsupported" });
  const nameId = { value: textIn(element), format: attributeOf(element, "Format") };
  // It is known by now that there is one (`readRequestId`).
  const until = (instantOf(message, "IssueInstant") ?? 0) + shortSkew;
  return { requestId, nameId, sessionIds, until };
}

/** Whether a name in a request is one that we gave. Some service providers leave out the format. */
export const isSameName = (given: NameId, { value, format }: LogoutRequest["nameId"]): boolean =>
  given.value === value && (format === undefined || format === nameIdFormats.unspecified || format === given.format);
