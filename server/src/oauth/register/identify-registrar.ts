import { OAuthError } from "../../base/oauth-error.ts";
import { callerOfToken, findPresentedToken, type PresentedToken } from "../../bearer/index.ts";
import { type Call, type Caller, callOfPresented, type Presented } from "../../call/index.ts";
import { registrarPermission } from "../../domain/registration/index.ts";
import { loadCallerAccess } from "../../domain/session/index.ts";
import type { SecuritySettings } from "../../domain/settings/index.ts";
import type { WebRequest } from "../../web/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { readPresentedToken } from "../dpop/read-presented-token.ts";

/** The caller that registers a client, and the organization of the client. */
export type Registrar =
  | { readonly kind: "permitted"; readonly call: Call; readonly organizationId: string }
  | { readonly kind: "anonymous"; readonly call: Call };

const permission = registrarPermission;

/**
 * Authenticates the registrar. A token is always checked, bound or not, even where none is required, so that an invalid
 * one never counts as anonymous. The token must be for our own APIs, like every administrative token. Otherwise any
 * application that a user signs in to could register clients in the name of the user's organization.
 */
export async function identifyRegistrar(
  deps: OAuthDeps,
  request: WebRequest,
  { dynamicClientRegistration }: SecuritySettings,
): Promise<Registrar> {
  const { call } = request;
  const authorization = request.header("authorization");
  if (authorization === undefined || !/^(?:bearer|dpop)(?: |$)/i.test(authorization)) {
    if (dynamicClientRegistration.allowUnauthenticated) return { kind: "anonymous", call };
    throw new OAuthError("invalid_token", "an access token is needed");
  }
  const identified = await callOfPresented(deps.clock, call, (at, presentedAt) =>
    findPermitted(deps, at, readPresentedToken(request, authorization, presentedAt)),
  );
  return { kind: "permitted", organizationId: identified.caller.organizationId, call: identified };
}

/** Returns the bearer of a token, if they may register clients in their organization. */
async function findPermitted(deps: OAuthDeps, call: Call, presented: PresentedToken): Promise<Presented<Caller>> {
  const active = await findPresentedToken(deps, call, presented);
  const caller = active === undefined ? "no_user" : callerOfToken(active);
  if (caller === "no_user") throw new OAuthError("invalid_token", "the access token is invalid, expired or revoked");
  // Some of a user's rights do not include this one.
  if (typeof caller === "string" || caller.identity.rights !== undefined) throw insufficient();
  const { identity, level } = caller;
  const { organizationId } = identity;
  const held = await loadCallerAccess(deps, call, { identity, level });
  if (!held.access.allows(permission, { organizationId })) throw insufficient(reasonOf(held, organizationId));
  return { ...identity, ...held };
}

const reasons = {
  "authentication.too_old": "the sign-in is too old for administrators",
  "authentication.two_factors_needed": "administrators sign in with two factors",
} as const;

// Says so where only the strength of the sign-in withholds the permission, as our own APIs do.
function reasonOf({ withheld }: Pick<Caller, "withheld">, organizationId: string): string | undefined {
  return withheld?.access.allows(permission, { organizationId }) === true ? reasons[withheld.slug] : undefined;
}

const insufficient = (reason = `the permission ${permission} is missing`): OAuthError =>
  new OAuthError("insufficient_scope", reason);
