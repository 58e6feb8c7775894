import type { AuthRequestParameters } from "../../domain/auth-request/index.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** A checked request at the authorization endpoint. */
export interface CheckedRequest extends AuthorizationRequest {
  /** The user who is expected to answer. */
  readonly hintUserId: string | undefined;
  /** Hash of a reference that the answer uses up. */
  readonly referenceHash: string | undefined;
  /** Whether the client pushed or signed the scope. */
  readonly isScopeFromClient: boolean;
  /** Whether the client pushed or signed `login_hint`. */
  readonly isHintFromClient: boolean;
  /** Of a sign-in that tries the application. */
  readonly testId?: string;
}

/** Returns the request as it is stored until its user has signed in. */
export function toParameters(checked: CheckedRequest): AuthRequestParameters {
  const { state, nonce, codeChallenge, dpopThumbprint, resources, maxAge, loginHint, hintUserId } = checked;
  const { claims, context, organizationId, referenceHash, client, isScopeFromClient, isHintFromClient, testId } =
    checked;
  const isAuthenticated = client.kind === "confidential";
  return {
    redirectUri: checked.redirectUri,
    responseType: checked.responseType,
    responseMode: checked.responseMode,
    scope: checked.scope,
    prompt: [...checked.prompt],
    uiLocales: checked.uiLocales,
    ...(state !== undefined && { state }),
    ...(nonce !== undefined && { nonce }),
    ...(codeChallenge !== undefined && { codeChallenge }),
    ...(dpopThumbprint !== undefined && { dpopThumbprint }),
    ...(resources.length > 0 && { resources }),
    ...(maxAge !== undefined && { maxAge }),
    ...(loginHint !== undefined && { loginHint }),
    ...(loginHint !== undefined && isHintFromClient && isAuthenticated && { isHintOfClient: true }),
    ...(hintUserId !== undefined && { hintUserId }),
    ...(claims.subjects !== undefined && { subjects: claims.subjects }),
    ...(claims.requested && { claims: claims.requested }),
    ...context,
    ...(organizationId !== undefined && { organizationId }),
    ...(organizationId !== undefined && isScopeFromClient && isAuthenticated && { isOrganizationOfClient: true }),
    ...(referenceHash !== undefined && { referenceHash }),
    ...(testId !== undefined && { testId }),
  };
}
