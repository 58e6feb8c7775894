import type { Call } from "../../call/index.ts";
import type { AuthRequestParameters } from "../../domain/auth-request/index.ts";
import type { Session } from "../../domain/session/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { type ConsentInput, isConsentMissing } from "./answer-with-consent.ts";

/**
 * Returns the sessions of a browser that a request may distinguish. A client that may not ask (`prompt=none`) and names
 * users, organizations, classes or times learns from the answer whether they fit. That is for clients that the user
 * consented to: for all others the user is the same as every other one, or an application of one organization could
 * find out silently who its visitors from another are.
 */
export async function listKnownSessions(
  deps: OAuthDeps,
  call: Call,
  { sessions, ...asked }: Pick<ConsentInput, "client" | "parameters"> & { readonly sessions: readonly Session[] },
): Promise<readonly Session[]> {
  if (!tellsUsersApart(asked.parameters)) return sessions;
  const isStranger = await Promise.all(
    sessions.map((session) => isConsentMissing(deps, call, { ...asked, session, consentedSessionId: undefined })),
  );
  return sessions.filter((_, index) => isStranger[index] !== true);
}

const tellsUsersApart = (parameters: AuthRequestParameters): boolean =>
  parameters.prompt.includes("none") &&
  [
    parameters.hintUserId,
    parameters.subjects,
    parameters.organizationId,
    parameters.acrValues,
    parameters.essentialAcr,
    parameters.maxAge,
    parameters.loginHint,
  ].some((demand) => demand !== undefined);
