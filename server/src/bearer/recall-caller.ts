import type { AuthorityDeps } from "../authority/index.ts";
import type { Call, Caller, Presented } from "../call/index.ts";
import { authenticateSession, type SignedInDeps } from "../domain/session/index.ts";
import { callerOfToken } from "./caller-of-token.ts";
import { findPersonalAccessToken } from "./find-personal-access-token.ts";
import { findIssued } from "./verify-access-token.ts";

type RecallDeps = AuthorityDeps & SignedInDeps;

/** What is kept of the credential with which work was begun that goes on after the answer. */
export type KeptCredential = Pick<Caller, "userId" | "sessionId" | "token">;

type Identity = Presented<Omit<Caller, "access" | "withheld">>;

/**
 * Returns the user behind a credential with which work was begun, as our own APIs would identify them if it were
 * presented now; undefined when they would refuse it. It asks what they ask, with one exception: work may take longer
 * than an access token lives. Its row has to be there still, so that a revocation is never forgotten. The key of a
 * bound token was proven when the work was begun.
 */
export async function recallCaller(
  deps: RecallDeps,
  call: Call,
  { userId, sessionId, token }: KeptCredential,
): Promise<Identity | undefined> {
  const identity =
    token === undefined ? await recallSession(deps, call, sessionId) : await recallToken(deps, call, token);
  // What only an application with rights of its own may do is not left behind.
  if (identity?.userId !== userId || identity.rights !== undefined) return undefined;
  const { credentialExpiresAt } = identity;
  return credentialExpiresAt === undefined || credentialExpiresAt > call.now ? identity : undefined;
}

async function recallSession(
  deps: RecallDeps,
  call: Call,
  sessionId: string | undefined,
): Promise<Identity | undefined> {
  return sessionId === undefined ? undefined : authenticateSession(deps, call, { sessionId });
}

async function recallToken(
  deps: RecallDeps,
  call: Call,
  { kind, id: tokenId }: NonNullable<Caller["token"]>,
): Promise<Identity | undefined> {
  const token =
    kind === "personal_access_token"
      ? await findPersonalAccessToken(deps.database.read, call, { tokenId })
      : await findIssued(deps, call, { tokenId, expiry: "is fine" }, "any key");
  const caller = token && callerOfToken(token);
  return typeof caller === "object" ? caller.identity : undefined;
}
