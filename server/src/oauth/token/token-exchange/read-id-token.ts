import { isRecord } from "../../../base/json.ts";
import { isSessionLive } from "../../../domain/session/index.ts";
import type { Actor, FamilySource } from "../../../domain/token/index.ts";
import { findUserScope } from "../../../domain/user/index.ts";
import type { AuthenticatedClient } from "../../client-authentication/authenticate-client.ts";
import { readIdTokenClaims } from "../../own-tokens.ts";
import type { GrantContext } from "../grant.ts";
import type { Party } from "./party.ts";

/**
 * Returns an unexpired ID token of ours for this client. Its user must be active, and its session, where it names one,
 * must not have ended. It has no scope.
 */
export async function readIdToken(
  { deps, call, issuer }: GrantContext,
  text: string,
  client: AuthenticatedClient,
): Promise<Party | undefined> {
  const { instanceId, now } = call;
  const claims = await readIdTokenClaims(deps, { instanceId, issuer }, text, now);
  if (claims === undefined) return undefined;
  const { sub, sid, azp, exp, nonce, auth_time: authTime } = claims;
  const audience = textsOf(claims["aud"]);
  if (typeof sub !== "string" || typeof azp !== "string" || !audience.includes(client.clientId)) return undefined;
  const { read } = deps.database;
  const user = await findUserScope(read, instanceId, sub);
  if (user?.state !== "active" || user.organizationState !== "active") return undefined;
  if (!(await isIssuerOfTokensActive(deps, instanceId, azp, client))) return undefined;
  if (typeof sid === "string" && !(await isSessionLive(read, instanceId, sid))) return undefined;
  const actor = readActor(claims["act"]);
  return {
    userId: sub,
    organizationId: user.organizationId,
    clientId: azp,
    scope: undefined,
    audience,
    sessionId: typeof sid === "string" ? sid : undefined,
    authTime: typeof authTime === "number" ? authTime * 1000 : undefined,
    authenticationMethods: textsOf(claims["amr"]),
    nonce: typeof nonce === "string" ? nonce : undefined,
    actor,
    mayAct: claims["may_act"],
    expiresAt: exp * 1000,
    refreshableUntil: exp * 1000,
    sources: actorsAsSources(actor),
  };
}

// Deactivating an application stops what was issued to it. The client of a service account is not an application.
async function isIssuerOfTokensActive(
  deps: GrantContext["deps"],
  instanceId: string,
  clientId: string,
  client: AuthenticatedClient,
): Promise<boolean> {
  if (clientId === client.clientId) return true;
  const issuedTo = await deps.clients.find(instanceId, clientId);
  return issuedTo === undefined || issuedTo.isActive;
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");

// We signed it, so the claim has the form that we gave it.
const readActor = (value: unknown): Actor | undefined => (isRecord(value) ? (value as unknown as Actor) : undefined);

function actorsAsSources(actor: Actor | undefined): FamilySource[] {
  return actor === undefined ? [] : [{ kind: "user", id: actor.sub }, ...actorsAsSources(actor.act)];
}
