import { ErrorReason, Prompt } from "@doorward/api/service/oidc/v2/auth_request_pb";
import { OIDCService } from "@doorward/api/service/oidc/v2/oidc_service_pb";
import { Fault } from "../../../base/fault.ts";
import { parseWebAddress } from "../../../base/names/web-address.ts";
import { OAuthError, type OAuthErrorCode } from "../../../base/oauth-error.ts";
import { type Call, requirePermission } from "../../../call/index.ts";
import { findPresentTarget } from "../../../domain/application/index.ts";
import { type AuthRequest, findOpenAuthRequest, markAnswered } from "../../../domain/auth-request/index.ts";
import { findPresentClient, maySendResponseTo } from "../../../domain/registration/index.ts";
import { findSessionByToken, type Session } from "../../../domain/session/index.ts";
import { answerWithConsent, callbackUrlOf, errorResponse, type OAuthDeps } from "../../../oauth/index.ts";
import { type Binding, bind, toDetails, toDuration, toTimestamp } from "../../contract/index.ts";
import { answeringSession } from "./answering-session.ts";
import { takeConsent } from "./take-consent.ts";

/** Returns the methods for custom logins: read an authorization request, answer it with a session or an error. */
export const oidcMethods = (deps: OAuthDeps): Binding =>
  bind(OIDCService, {
    async getAuthRequest(call, request) {
      requirePermission(call, "session.read", {});
      return { authRequest: toMessage(await findRequest(deps, call, request.authRequestId)) };
    },

    async createCallback(call, { authRequestId, callbackKind, consentGiven }) {
      requirePermission(call, "session.link", {});
      const request = await findRequest(deps, call, authRequestId);
      const issuer = await deps.originOf(call.instanceId);
      switch (callbackKind.case) {
        case "session": {
          const session = await findSessionByToken(deps.database.read, call.instanceId, callbackKind.value);
          return answerDetails(call, await answerRequest(deps, call, request, { session, issuer, consentGiven }));
        }
        case "error": {
          const { error, errorDescription, errorUri: uri } = callbackKind.value;
          if (uri !== undefined && parseWebAddress(uri) === undefined) {
            throw new Fault("invalid_argument", "field.uri", {
              field: "error.errorUri",
              values: { field: "error.errorUri" },
            });
          }
          if (!(await deps.database.touch(call, (tx) => markAnswered(tx, authRequestId)))) throw answeredAlready();
          const code = errorCodes[error] ?? "server_error";
          const described = new OAuthError(code, errorDescription ?? code.replaceAll("_", " "), { uri });
          const response = errorResponse(described, request.parameters, issuer);
          return answerDetails(call, await callbackUrlOf(deps, call, { request, issuer }, response));
        }
        case undefined:
          throw new Fault("invalid_argument", "field.required", { field: "session" });
        default:
          return callbackKind satisfies never;
      }
    },
  });

async function findRequest(deps: OAuthDeps, call: Call, authRequestId: string): Promise<AuthRequest> {
  const found = await findOpenAuthRequest(deps.database.read, call.instanceId, authRequestId, call.now);
  if (found === undefined || found.parameters.saml !== undefined) throw notFound();
  const { redirectUri, responseType } = found.parameters;
  const client = await deps.clients.find(call.instanceId, found.clientId);
  if (client === undefined) throw notFound();
  // The client may have changed, or its application been deactivated, on another node.
  const present = await findPresentClient(deps.database.read, client);
  const isKept = present !== undefined && maySendResponseTo(present, found.parameters);
  const target = await findPresentTarget(deps.database.read, client, { redirectUri, responseType });
  if (!isKept || target !== "open") throw notFound();
  return found;
}

/** Also for a request that ended because its client changed, so that the user starts again at the application. */
const notFound = (): Fault => new Fault("not_found", "auth_request.not_found");

interface CallbackInput {
  readonly session: Session | undefined;
  readonly issuer: string;
  /** Whether the login reports that the user consented to the request. */
  readonly consentGiven: boolean;
}

async function answerRequest(
  deps: OAuthDeps,
  call: Call,
  request: AuthRequest,
  { session, issuer, consentGiven }: CallbackInput,
): Promise<string> {
  const { parameters, authRequestId } = request;
  const answering = await answeringSession(deps, call, request, session);
  const client = await deps.clients.find(call.instanceId, request.clientId);
  if (client === undefined || !client.isActive) throw new Fault("failed_precondition", "auth_request.client_inactive");
  try {
    if (consentGiven && !(await takeConsent(deps, call, { client, parameters, session: answering }))) throw notFound();
    const consentedSessionId = consentGiven ? answering.sessionId : undefined;
    const input = { client, parameters, session: answering, authRequestId, issuer, consentedSessionId };
    const answer = await answerWithConsent(deps, call, input);
    if (answer.kind === "consent") throw new Fault("failed_precondition", "auth_request.consent_required");
    if (answer.kind === "gone") throw answeredAlready();
    return await callbackUrlOf(deps, call, { request, issuer }, answer.response);
  } catch (error) {
    if (error instanceof OAuthError)
      throw new Fault("permission_denied", "auth_request.access_denied", { cause: error });
    throw error;
  }
}

const answeredAlready = (): Fault => new Fault("failed_precondition", "auth_request.answered_already");

const answerDetails = (call: Call, callbackUrl: string) => ({
  details: toDetails({ sequence: 1, createdAt: call.now, changedAt: call.now, ownerId: call.instanceId }),
  callbackUrl,
});

function toMessage({ authRequestId, clientId, createdAt, parameters }: AuthRequest) {
  const { loginHint, maxAge, hintUserId, acrValues = [], essentialAcr = [] } = parameters;
  return {
    id: authRequestId,
    creationDate: toTimestamp(createdAt),
    clientId,
    scope: parameters.scope.split(" "),
    resources: [...(parameters.resources ?? [])],
    redirectUri: parameters.redirectUri,
    prompt: parameters.prompt.map((prompt) => prompts[prompt] ?? Prompt.UNSPECIFIED),
    uiLocales: [...parameters.uiLocales],
    acrValues: [...acrValues],
    essentialAcrValues: [...essentialAcr],
    ...(loginHint !== undefined && { loginHint }),
    ...(maxAge !== undefined && { maxAge: toDuration(maxAge) }),
    ...(hintUserId !== undefined && { hintUserId }),
  };
}

const prompts: Readonly<Record<string, Prompt>> = {
  none: Prompt.NONE,
  login: Prompt.LOGIN,
  consent: Prompt.CONSENT,
  select_account: Prompt.SELECT_ACCOUNT,
  create: Prompt.CREATE,
};

const errorCodes: Readonly<Partial<Record<ErrorReason, OAuthErrorCode>>> = {
  [ErrorReason.INVALID_REQUEST]: "invalid_request",
  [ErrorReason.UNAUTHORIZED_CLIENT]: "unauthorized_client",
  [ErrorReason.ACCESS_DENIED]: "access_denied",
  [ErrorReason.UNSUPPORTED_RESPONSE_TYPE]: "unsupported_response_type",
  [ErrorReason.INVALID_SCOPE]: "invalid_scope",
  [ErrorReason.SERVER_ERROR]: "server_error",
  [ErrorReason.TEMPORARY_UNAVAILABLE]: "temporarily_unavailable",
  [ErrorReason.INTERACTION_REQUIRED]: "interaction_required",
  [ErrorReason.LOGIN_REQUIRED]: "login_required",
  [ErrorReason.ACCOUNT_SELECTION_REQUIRED]: "account_selection_required",
  [ErrorReason.CONSENT_REQUIRED]: "consent_required",
  [ErrorReason.INVALID_REQUEST_URI]: "invalid_request",
  [ErrorReason.INVALID_REQUEST_OBJECT]: "invalid_request_object",
  [ErrorReason.REQUEST_NOT_SUPPORTED]: "request_not_supported",
  [ErrorReason.REQUEST_URI_NOT_SUPPORTED]: "request_uri_not_supported",
  [ErrorReason.UNMET_AUTHENTICATION_REQUIREMENTS]: "unmet_authentication_requirements",
};
