import type { Budgets } from "../../base/budget/budgets.ts";
import { days, toIso } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import { type Database, type Page, readerAtLength } from "../../database/index.ts";
import { listMembershipsOfUser } from "../administrator-search/index.ts";
import { listAuthorizations } from "../authorization/index.ts";
import { type ListedChange, listOwnChanges } from "../event-log/index.ts";
import { listGroupUsers } from "../group/index.ts";
import { findAvatar } from "../picture/index.ts";
import { listSavedViews, type SavedView } from "../saved-view/index.ts";
import { listSessions, type ReadSession } from "../session/index.ts";
import { listOwnSignInAttempts, type SignInAttempt } from "../sign-in-attempt/index.ts";
import { listSignInMethods, type SignInMethods } from "../sign-in-method/index.ts";
import { listOwnClients } from "../token/index.ts";
import { type HumanUser, listUserMetadata, requireHuman, toldProof } from "../user/index.ts";
import { getUser } from "../user-search/index.ts";

interface Deps {
  readonly database: Database;
  readonly budgets: Pick<Budgets, "take">;
}

/** What is stored about a user, as a document: instants in ISO 8601, metadata and the picture in base64. */
export type PersonalData = Readonly<Record<string, unknown>>;

// One page: the file is shown, and nothing is decided by it.
const all: Page = { offset: 0, limit: 1000 };
/** How far back events go, as in the activity that users see. */
const activityAge = days(90);
// Bounds what one document holds, and so how long it takes.
const mostEvents = 10_000;
const eventsAtOnce = 1000;

/**
 * Collects everything stored about the caller. Lists have at most 1,000 entries, the events of 90 days at most 10,000.
 * Throws `personal_data.too_many` when the user has just got several of these files.
 */
export async function collectPersonalData(deps: Deps, call: Call): Promise<PersonalData> {
  const { instanceId, now } = call;
  const { userId } = requireCaller(call);
  const wait = deps.budgets.take("personal_data_of_user", { instanceId, now, subject: userId });
  if (wait > 0) {
    throw new Fault("resource_exhausted", "personal_data.too_many", { values: { seconds: Math.ceil(wait / 1000) } });
  }
  const user = await getUser(deps, call, { userId });
  const [methods, sessions, attempts, applications, authorizations, administrators, groups, metadata, views] =
    await Promise.all([
      listSignInMethods(deps, call, { userId }),
      listSessions(deps, call, { filters: [{ by: "user", userId }], page: all, isDescending: true }),
      listOwnSignInAttempts(deps, call, all),
      listOwnClients(deps, call),
      listAuthorizations(deps, call, {
        filters: [{ kind: "users", userIds: [userId] }],
        orderBy: "created_at",
        isDescending: false,
        page: all,
      }),
      listMembershipsOfUser(deps, call, { userId, filters: [], orderBy: "created_at", isDescending: false, page: all }),
      listGroupUsers(deps, call, {
        filters: [{ by: "users", ids: [userId] }],
        orderBy: "group_id",
        page: all,
        isDescending: false,
      }),
      listUserMetadata(deps, call, { userId, keyFilters: [], page: all, isDescending: false }),
      listSavedViews(deps, call, { page: all, isDescending: false }),
    ]);
  return {
    exportedAt: toIso(call.now),
    user: { ...profileOf(requireHuman(user)), loginNames: user.loginNames },
    picture: await findPicture(deps, call, requireHuman(user)),
    metadata: metadata.metadata.map(({ key, value, createdAt, changedAt }) => ({
      key,
      value: Buffer.from(value).toString("base64"),
      createdAt: toIso(createdAt),
      changedAt: toIso(changedAt),
    })),
    signInMethods: methodsOf(methods),
    sessions: sessions.sessions.map(sessionOf),
    signIns: attempts.map(attemptOf),
    applications: applications.map(({ since, lastUsedAt, ...client }) => ({
      ...client,
      since: toIso(since),
      lastUsedAt: optionalIso(lastUsedAt),
    })),
    roles: authorizations.rows.map(({ projectId, projectName, organizationId, organizationName, state, roles }) => ({
      projectId,
      projectName,
      organizationId,
      organizationName,
      state,
      roles: roles.map(({ roleKey }) => roleKey),
    })),
    administratorRoles: administrators.administrators.map(({ resource, roles, pendingRoles }) => ({
      resource,
      roles,
      pendingRoles,
    })),
    groups: groups.rows.map(({ groupId }) => groupId),
    savedViews: views.rows.map(viewOf),
    activity: (await listActivity(deps, call)).map(({ type, createdAt, editorUserId }) => ({
      type,
      at: toIso(createdAt),
      by: editorUserId === "" ? undefined : editorUserId,
    })),
  };
}

const optionalIso = (instant: number | undefined): string | undefined =>
  instant === undefined ? undefined : toIso(instant);

const profileOf = (user: HumanUser) => ({
  userId: user.userId,
  organizationId: user.organizationId,
  state: user.state,
  username: user.username,
  displayName: user.displayName,
  ...user.profile,
  email: { ...user.email, proof: toldProof(user.email.proof) },
  phone: user.phone && { ...user.phone, proof: toldProof(user.phone.proof) },
  passwordChangedAt: optionalIso(user.passwordChangedAt),
  createdAt: toIso(user.details.createdAt),
  changedAt: toIso(user.details.changedAt),
});

async function findPicture(deps: Deps, { instanceId }: Call, { avatarFile }: HumanUser) {
  const found = avatarFile === undefined ? undefined : await findAvatar(deps, instanceId, avatarFile);
  return found && { contentType: found.contentType, content: found.bytes.toString("base64") };
}

function methodsOf({ hasPassword, passkeys, securityKeys, codes, recoveryCodesLeft, links }: SignInMethods) {
  const keyOf = ({ name, createdAt, relyingPartyId }: SignInMethods["passkeys"][number]) => ({
    name,
    host: relyingPartyId,
    createdAt: toIso(createdAt),
  });
  return {
    hasPassword,
    codes,
    recoveryCodesLeft,
    passkeys: passkeys.map(keyOf),
    securityKeys: securityKeys.map(keyOf),
    linkedAccounts: links.map(({ providerName, externalUserId, externalUsername }) => ({
      provider: providerName,
      id: externalUserId,
      username: externalUsername,
    })),
  };
}

const sessionOf = ({ session }: ReadSession) => ({
  sessionId: session.sessionId,
  userAgent: session.userAgent,
  createdAt: toIso(session.createdAt),
  changedAt: toIso(session.details.changedAt),
  expiresAt: optionalIso(session.expiresAt),
});

const attemptOf = ({ result, client, source, browser, system, steps, startedAt }: SignInAttempt) => ({
  at: toIso(startedAt),
  result,
  application: client?.name,
  source,
  browser,
  system,
  steps: steps.map(({ check, outcome, at }) => ({ at: toIso(at), check, outcome })),
});

const viewOf = ({ list, name, search, createdAt, changedAt }: SavedView) => ({
  list,
  name,
  search,
  createdAt: toIso(createdAt),
  changedAt: toIso(changedAt),
});

async function listActivity({ database }: Deps, call: Call): Promise<ListedChange[]> {
  // So much of it that it waits for its turn, and is charged to the user.
  const read = readerAtLength(database.read);
  const found: ListedChange[] = [];
  const since = call.now - activityAge;
  for (let from: number | undefined; found.length < mostEvents; from = found.at(-1)?.sequence) {
    const page = { limit: eventsAtOnce, isAscending: false, fromSequence: from, since };
    const more = await listOwnChanges({ read }, call, page);
    found.push(...more);
    if (more.length < eventsAtOnce) break;
  }
  return found;
}
