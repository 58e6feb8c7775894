import { seconds } from "../../base/clock.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { Client } from "../../domain/application/index.ts";
import { findLiveFamily, type IssuedTokens } from "../../domain/token/index.ts";
import type { GrantContext } from "./grant.ts";
import { mayUseClient } from "./may-use-client.ts";

// Scripts can take half a minute; in a moment nothing changes that could not have changed a moment later.
const longestMoment = seconds(1);

export interface DecidedAgain {
  /** The application; absent for a service account. */
  readonly client: Client | undefined;
  /** When the tokens were issued, by `performance.now`. */
  readonly decidedAt: number;
  /** The error; by default that of the token endpoint. */
  readonly refusedAs?: "invalid_grant" | "login_required";
}

/**
 * Decides for the second time, before tokens are signed whose content took long, whether they may be issued: their
 * session, user or client, or what the client requires, may have ended meanwhile. A client that was told of the logout
 * gets no ID token after it.
 */
export async function decideAgain(
  { deps, call }: GrantContext,
  { family: { familyId, userId } }: IssuedTokens,
  { client, decidedAt, refusedAs = "invalid_grant" }: DecidedAgain,
): Promise<void> {
  if (performance.now() - decidedAt <= longestMoment) return;
  const { read } = deps.database;
  const { instanceId, now } = call;
  const present = client && (await deps.clients.find(instanceId, client.clientId));
  const isClientGone = client !== undefined && present?.isActive !== true;
  const isLive = (await findLiveFamily(read, instanceId, familyId, now)) !== undefined;
  if (isLive && !isClientGone && (await mayUseClient(read, instanceId, present, userId))) return;
  throw new OAuthError(refusedAs, "what the tokens are for has ended");
}
