import type { Budgets } from "../../base/budget/budgets.ts";
import { spend } from "../../base/budget/spend.ts";
import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import { hasInvisible } from "../../base/names/canonical.ts";
import {
  authorize,
  type Call,
  type Caller,
  isOfInstance,
  requireCaller,
  withoutLoginClient,
} from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { maySignInAs } from "../administrator-access/index.ts";
import { type Client, type ClientDirectory, findApplication } from "../application/index.ts";
import { findSession } from "../session/index.ts";
import { isImpersonationOn, refusesImpersonation } from "../settings/index.ts";
import { findUserScope, type UserScope } from "../user/index.ts";
import { endOfSession, insertImpersonation } from "./impersonation.store.ts";
import { durationOf, type Impersonation } from "./impersonation.ts";
import { judgeApplication } from "./judge-application.ts";
import { recordImpersonations } from "./record-impersonations.ts";

export interface CreateImpersonationDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly budgets: Budgets;
  readonly clients: ClientDirectory;
}

export interface NewImpersonation {
  readonly userId: string;
  readonly applicationId: string;
  readonly reason: string;
  /** Minutes; the usual time when 0. */
  readonly lifetime: number;
}

/**
 * Begins an impersonation, for a caller who is signed in with a browser. What the caller may do is held to that sign-in
 * already (strict profile). An earlier one of the same browser for the application ends: at each application one person
 * acts as one user.
 */
export async function createImpersonation(
  deps: CreateImpersonationDeps,
  call: Call,
  { userId, applicationId, reason: givenReason, lifetime }: NewImpersonation,
): Promise<Impersonation> {
  const caller = requireCaller(call);
  const reason = givenReason.trim();
  return deps.database.change(call, async (tx) => {
    const user = await findUserScope(tx, tx.instanceId, userId);
    authorize(call, user, {
      permission: "impersonation",
      readPermission: "user.read",
      absent: "user.not_found",
      isBeyondLogin: true,
    });
    await requireAllowed(tx, user);
    if (reason === "") {
      throw new Fault("invalid_argument", "field.required", { field: "reason", values: { field: "reason" } });
    }
    // The user reads it.
    if (hasInvisible(reason)) {
      throw new Fault("invalid_argument", "field.invalid", { field: "reason", values: { field: "reason" } });
    }
    await requireSubject(tx, caller, user);
    const { clientId } = await findSuitableClient(deps, tx, { applicationId, user });
    const sessionId = await requireSession(tx, caller);
    takeFromBudget(deps, call, caller.userId);
    const sessionEnd = (await findSession(tx, tx.instanceId, sessionId))?.expiresAt ?? Number.POSITIVE_INFINITY;
    const impersonation: Impersonation = {
      impersonationId: deps.newId(),
      userId,
      organizationId: user.organizationId,
      actorId: caller.userId,
      actorOrganizationId: caller.organizationId,
      sessionId,
      applicationId,
      clientId,
      reason,
      createdAt: tx.now,
      expiresAt: Math.min(tx.now + durationOf(lifetime), sessionEnd),
      endedAt: undefined,
    };
    const ended = await endOfSession(tx, impersonation);
    insertImpersonation(tx, impersonation);
    await recordImpersonations(tx, [
      ...ended.map((each) => ({ what: "ended", impersonation: each }) as const),
      { what: "started", impersonation },
    ]);
    return impersonation;
  });
}

async function requireAllowed(reader: Tx, { organizationId, userId }: UserScope): Promise<void> {
  const isOn = await isImpersonationOn(reader, reader.instanceId);
  if (isOn && !(await refusesImpersonation(reader, { instanceId: reader.instanceId, organizationId, userId }))) return;
  throw new Fault("failed_precondition", "impersonation.not_allowed");
}

async function requireSubject(tx: Tx, caller: Caller, user: UserScope): Promise<void> {
  const { userId, organizationId } = user;
  if (userId === caller.userId) throw new Fault("failed_precondition", "impersonation.unsuitable", { field: "userId" });
  if (user.kind !== "human") throw new Fault("failed_precondition", "user.not_human", { field: "userId" });
  if (user.state !== "active" || user.organizationState !== "active") {
    throw new Fault("failed_precondition", "user.not_active", { field: "userId" });
  }
  const access = withoutLoginClient(caller.access);
  if (await maySignInAs(tx, tx.instanceId, { access, userId, organizationId })) return;
  throw new Fault("permission_denied", "impersonation.beyond_own");
}

/** Returns the client of an application to which the administrator can sign in as the user. */
async function findSuitableClient(
  { clients }: CreateImpersonationDeps,
  reader: Tx,
  { applicationId, user }: { readonly applicationId: string; readonly user: UserScope },
): Promise<Client> {
  const { instanceId } = reader;
  const application = await findApplication(reader, instanceId, applicationId);
  const client = application?.kind === "oidc" ? await clients.find(instanceId, application.clientId) : undefined;
  const judgment =
    client?.isActive === true
      ? await judgeApplication(reader, instanceId, { ...user, clientId: client.clientId })
      : "unreachable";
  if (client !== undefined && judgment === "suitable") return client;
  const field = "applicationId";
  if (judgment === "unsuitable") throw new Fault("failed_precondition", "impersonation.unsuitable", { field });
  // One that the user may not use is not told from one that does not exist.
  throw new Fault("not_found", "application.not_found", { field });
}

async function requireSession(tx: Tx, caller: Caller): Promise<string> {
  const { sessionId } = caller;
  const session = sessionId === undefined ? undefined : await findSession(tx, tx.instanceId, sessionId);
  if (session?.userId === caller.userId && session.terminatedAt === undefined && isOfInstance(caller)) {
    return session.sessionId;
  }
  throw new Fault("failed_precondition", "session.not_found");
}

function takeFromBudget({ budgets }: CreateImpersonationDeps, { instanceId, now }: Call, subject: string): void {
  spend(budgets, "impersonations_of_caller", { instanceId, now, subject });
}
