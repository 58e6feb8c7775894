import type { Call, Preparation } from "../../call/index.ts";
import { countingFactors } from "./is-completely-signed-in.ts";
import { isEnough, type SignedInDeps } from "./is-signed-in.ts";
import { preparationsOf } from "./preparations.ts";
import { findSessionBearer } from "./session.store.ts";

/** The user that a session token stands for. */
export interface SessionBearer {
  readonly sessionId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly preparedBy: readonly Preparation[];
}

/**
 * Returns the user that a session token, or a session by its id, stands for at this moment: the session is live and
 * has not expired, the user and the user's organization are active, and the checked factors are allowed, and enough to
 * be signed in.
 */
export async function authenticateSession(
  deps: SignedInDeps,
  call: Call,
  key: { readonly tokenHash: string } | { readonly sessionId: string },
): Promise<SessionBearer | undefined> {
  const found = await findSessionBearer(deps.database.read, call.instanceId, key, call.now);
  if (found === undefined) return undefined;
  // What the login settings do not allow to sign in with does not open our interfaces either.
  const factors = await countingFactors(deps, call, found.session, undefined);
  if (!(await isEnough(deps, call, { ...found.session, factors }, found.demand))) return undefined;
  const { sessionId, userId, organizationId } = found.session;
  if (userId === undefined || organizationId === undefined) return undefined;
  return { sessionId, userId, organizationId, preparedBy: preparationsOf(found.session) };
}
