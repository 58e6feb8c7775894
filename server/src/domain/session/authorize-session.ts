import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller, type Scope } from "../../call/index.ts";
import type { Session, SessionUser } from "./session.ts";

/** Where a session lives: in the organization of its user, else in the instance alone. */
export const sessionScope = (session: { readonly organizationId: string | undefined }): Scope =>
  session.organizationId === undefined ? {} : { organizationId: session.organizationId };

/** A session together with where it lives, as `authorize` takes it. */
export const placeSession = (session: Session | undefined): (Scope & { readonly session: Session }) | undefined =>
  session && { ...sessionScope(session), session };

/** Refuses callers who may write sessions nowhere, before anything is looked up or checked for them. */
export function requireSessionWriter(call: Call): void {
  const { access } = requireCaller(call);
  if (!access.positions.some(({ permissions }) => permissions.has("session.write"))) throw denied();
}

/** Refuses callers who may not write sessions of this user; for them he does not exist. */
export function requireWriterFor(call: Call, user: SessionUser | undefined): void {
  const { access } = requireCaller(call);
  if (user === undefined ? access.allows("session.write", {}) : access.allows("session.write", sessionScope(user)))
    return;
  throw user === undefined ? denied() : new Fault("not_found", "user.not_found", { field: "checks.user" });
}

const denied = (): Fault =>
  new Fault("permission_denied", "permission.missing", { values: { permission: "session.write" } });
