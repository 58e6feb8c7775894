import { ErrorReason } from "@doorward/api/service/saml/v2/saml_request_pb";
import { SAMLService } from "@doorward/api/service/saml/v2/saml_service_pb";
import { Fault } from "../../../base/fault.ts";
import { OAuthError } from "../../../base/oauth-error.ts";
import { bindings } from "../../../base/saml/index.ts";
import { type Call, requirePermission } from "../../../call/index.ts";
import { findPresentTarget } from "../../../domain/application/index.ts";
import { type AuthRequest, findOpenAuthRequest, markAnswered } from "../../../domain/auth-request/index.ts";
import { findSessionByToken, type Session } from "../../../domain/session/index.ts";
import { type AuthorizationResponse, isConsentMissing } from "../../../oauth/index.ts";
import { loadResponses, type SamlDeps, type SamlStatus } from "../../../saml/index.ts";
import { type Binding, bind, toDetails, toTimestamp } from "../../contract/index.ts";
import { answeringSession } from "../oidc/answering-session.ts";
import { takeConsent } from "../oidc/take-consent.ts";

/** Returns the methods for custom logins: read a SAML request, answer it with a session or an error. */
export const samlMethods = (deps: SamlDeps): Binding =>
  bind(SAMLService, {
    async getSAMLRequest(call, { samlRequestId }) {
      requirePermission(call, "session.read", {});
      return { samlRequest: toMessage(await findRequest(deps, call, samlRequestId)) };
    },

    async createResponse(call, { samlRequestId, responseKind, consentGiven }) {
      requirePermission(call, "session.link", {});
      const request = await findRequest(deps, call, samlRequestId);
      const issuer = await deps.originOf(call.instanceId);
      switch (responseKind.case) {
        case "session": {
          const session = await findSessionByToken(deps.database.read, call.instanceId, responseKind.value);
          return toAnswer(call, await answerRequest(deps, call, request, { session, issuer, consentGiven }));
        }
        case "error": {
          const { error, errorDescription } = responseKind.value;
          if (!(await deps.database.touch(call, (tx) => markAnswered(tx, samlRequestId)))) throw answeredAlready();
          const status = {
            ...(statuses[error] ?? { code: "Responder" }),
            ...(errorDescription !== undefined && { message: errorDescription }),
          };
          const { parameters } = request;
          const { errorResponse } = await loadResponses();
          return toAnswer(call, await errorResponse(deps, call, { parameters, issuer }, status));
        }
        case undefined:
          throw new Fault("invalid_argument", "field.required", { field: "session", values: { field: "session" } });
        default:
          return responseKind satisfies never;
      }
    },
  });

async function findRequest(deps: SamlDeps, call: Call, samlRequestId: string): Promise<AuthRequest> {
  const found = await findOpenAuthRequest(deps.database.read, call.instanceId, samlRequestId, call.now);
  if (found?.parameters.saml === undefined) throw notFound();
  const { redirectUri, responseType } = found.parameters;
  const client = await deps.clients.find(call.instanceId, found.clientId);
  if (client === undefined) throw notFound();
  // The metadata may have changed, or the application been deactivated, on another node.
  const target = await findPresentTarget(deps.database.read, client, { redirectUri, responseType });
  if (target !== "open") throw notFound();
  return found;
}

const notFound = (): Fault => new Fault("not_found", "auth_request.not_found", { field: "samlRequestId" });
const answeredAlready = (): Fault => new Fault("failed_precondition", "auth_request.answered_already");

interface ResponseInput {
  readonly session: Session | undefined;
  readonly issuer: string;
  /** Whether the login reports that the user consented to the request. */
  readonly consentGiven: boolean;
}

async function answerRequest(
  deps: SamlDeps,
  call: Call,
  request: AuthRequest,
  { session, issuer, consentGiven }: ResponseInput,
): Promise<AuthorizationResponse> {
  const { parameters, authRequestId } = request;
  const answering = await answeringSession(deps, call, request, session);
  const client = await deps.clients.find(call.instanceId, request.clientId);
  const { asPartner, issueResponse } = await loadResponses();
  try {
    const partner = client && asPartner(client, call.now);
    if (partner === undefined) throw new Fault("failed_precondition", "auth_request.client_inactive");
    const of = { client: partner.client, parameters, session: answering };
    if (consentGiven && !(await takeConsent(deps, call, of))) throw notFound();
    const consentedSessionId = consentGiven ? answering.sessionId : undefined;
    if (await isConsentMissing(deps, call, { ...of, consentedSessionId })) {
      throw new Fault("failed_precondition", "auth_request.consent_required");
    }
    const input = { partner, parameters, session: answering, authRequestId, consentedSessionId, issuer };
    const response = await issueResponse(deps, call, input);
    if (response === undefined) throw answeredAlready();
    return response;
  } catch (error) {
    if (error instanceof OAuthError)
      throw new Fault("permission_denied", "auth_request.access_denied", { cause: error });
    throw error;
  }
}

// The login posts the form to the address itself: its page is on its own host.
function toAnswer(call: Call, { redirectUri, parameters }: AuthorizationResponse) {
  const { SAMLResponse: samlResponse = "", RelayState: relayState = "" } = parameters;
  return {
    details: toDetails({ sequence: 1, createdAt: call.now, changedAt: call.now, ownerId: call.instanceId }),
    url: redirectUri,
    binding: { case: "post", value: { samlResponse, relayState } } as const,
  };
}

function toMessage({ authRequestId, createdAt, parameters }: AuthRequest) {
  const { saml, prompt, essentialAcr = [] } = parameters;
  return {
    id: authRequestId,
    creationDate: toTimestamp(createdAt),
    issuer: saml?.entityId ?? "",
    assertionConsumerService: parameters.redirectUri,
    relayState: saml?.relayState ?? "",
    binding: bindings.post,
    scope: parameters.scope.split(" "),
    forceAuthn: prompt.includes("login"),
    isPassive: prompt.includes("none"),
    essentialAcrValues: [...essentialAcr],
  };
}

const statuses: Readonly<Partial<Record<ErrorReason, SamlStatus>>> = {
  [ErrorReason.VERSION_MISSMATCH]: { code: "VersionMismatch" },
  [ErrorReason.AUTH_N_FAILED]: { code: "Responder", detail: "AuthnFailed" },
  [ErrorReason.INVALID_ATTR_NAME_OR_VALUE]: { code: "Requester", detail: "InvalidAttrNameOrValue" },
  [ErrorReason.INVALID_NAMEID_POLICY]: { code: "Requester", detail: "InvalidNameIDPolicy" },
  [ErrorReason.REQUEST_DENIED]: { code: "Responder", detail: "RequestDenied" },
  [ErrorReason.REQUEST_UNSUPPORTED]: { code: "Requester", detail: "RequestUnsupported" },
  [ErrorReason.UNSUPPORTED_BINDING]: { code: "Requester", detail: "UnsupportedBinding" },
};
