import { Fault } from "../../base/fault.ts";
import { type Call, isLoginClient, requireCaller, type Scope } from "../../call/index.ts";
import type { Session, SessionUser } from "./session.ts";

/** Returns the scope of a session: the organization of its user, otherwise the instance alone. */
const sessionScope = (session: { readonly organizationId: string | undefined }): Scope =>
  session.organizationId === undefined ? {} : { organizationId: session.organizationId };

/** Returns a session together with its scope, as `authorize` takes it. */
export const scopedSession = (session: Session | undefined): (Scope & { readonly session: Session }) | undefined =>
  session && { ...sessionScope(session), session };

/**
 * Returns whether the caller is a sign-in application that made the session. Each write hands out the session's token,
 * so that application (`IAM_LOGIN_CLIENT`) could otherwise become any user with a session elsewhere (A14).
 */
export function isOfLogin(call: Call, session: Session | undefined): boolean {
  const { userId, access } = requireCaller(call);
  return (
    session !== undefined && session.creatorId === userId && isLoginClient(access) && access.allows("session.link", {})
  );
}

/** Refuses callers who may write sessions nowhere, before anything is looked up or checked for them. */
export function requireSessionWriter(call: Call): void {
  const { access } = requireCaller(call);
  if (!access.holdsAnywhere("session.write")) throw denied();
}

/** Refuses callers who may not write sessions of this user; for them the user does not exist. */
export function requireWriterFor(call: Call, user: SessionUser | undefined): void {
  const { access } = requireCaller(call);
  if (user === undefined ? access.allows("session.write", {}) : access.allows("session.write", sessionScope(user)))
    return;
  throw user === undefined ? denied() : new Fault("not_found", "user.not_found", { field: "checks.user" });
}

const denied = (): Fault =>
  new Fault("permission_denied", "permission.missing", { values: { permission: "session.write" } });
