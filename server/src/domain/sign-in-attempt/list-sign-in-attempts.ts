import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List, Page } from "../../database/index.ts";
import type { SignInAttempt } from "./sign-in-attempt.ts";
import { type FoundAttempt, listSignInAttemptRows, type SignInAttemptFilter } from "./sign-in-attempt-list.store.ts";

export interface ListSignInAttempts {
  /** All of them must match. */
  readonly filters: readonly SignInAttemptFilter[];
  readonly page: Page;
  readonly isDescending: boolean;
}

/**
 * Lists attempts to sign in that belong to organizations whose users the caller may read, with or without a known user.
 * Those that belong to no organization are for callers who may read all users of the instance.
 */
export async function listSignInAttempts(
  deps: { readonly database: Database },
  call: Call,
  search: ListSignInAttempts,
): Promise<List<SignInAttempt>> {
  const reach = requireCaller(call).access.reach("user.read");
  const { rows, total } = await listSignInAttemptRows(deps.database.read, call.instanceId, { ...search, reach });
  return { rows: rows.map((row) => toAttempt(call, row)), total };
}

/** Lists those of the caller, for the export of their data. */
export async function listOwnSignInAttempts(
  deps: { readonly database: Database },
  call: Call,
  page: Page,
): Promise<SignInAttempt[]> {
  const { userId } = requireCaller(call);
  const { rows } = await listSignInAttemptRows(deps.database.read, call.instanceId, {
    reach: { everywhere: true, organizationIds: [], projectIds: [], projectGrantIds: [] },
    filters: [{ by: "user", userId }],
    page,
    isDescending: true,
  });
  return rows.map((row) => toAttempt(call, row));
}

/** Returns one of these attempts, by its id. */
export async function getSignInAttempt(
  deps: { readonly database: Database },
  call: Call,
  { attemptId }: { readonly attemptId: string },
): Promise<SignInAttempt> {
  const search = { filters: [{ by: "ids", attemptIds: [attemptId] }], page: { offset: 0, limit: 1 } } as const;
  const [found] = (await listSignInAttempts(deps, call, { ...search, isDescending: true })).rows;
  if (found === undefined) throw new Fault("not_found", "sign_in_attempt.not_found", { field: "id" });
  return found;
}

function toAttempt(call: Call, found: FoundAttempt): SignInAttempt {
  const { userId, organizationId, displayName, loginName, sessionId, source, browser, system, ...rest } = found;
  const { attemptId, result, hasFailed, reference, steps, startedAt, changedAt } = rest;
  return {
    attemptId,
    user:
      userId === null || organizationId === null
        ? undefined
        : { userId, organizationId, displayName: displayName ?? "", loginName: loginName ?? "" },
    client: toClient(call, found),
    sessionId: sessionId ?? undefined,
    result,
    hasFailed,
    reference,
    source: source ?? "",
    browser: browser ?? undefined,
    system: system ?? undefined,
    steps,
    startedAt,
    changedAt,
  };
}

// The sign-in page tells its name to everyone. Where it lives is known to those who may read it.
function toClient(call: Call, found: FoundAttempt): SignInAttempt["client"] {
  const { clientId, clientName, applicationId, projectId, clientOrganizationId: organizationId } = found;
  if (clientId === null) return undefined;
  const scope = { organizationId: organizationId ?? "", projectId: projectId ?? "" };
  const isRead = applicationId !== null && requireCaller(call).access.allows("project.app.read", scope);
  return {
    clientId,
    name: clientName ?? "",
    applicationId: isRead ? applicationId : "",
    projectId: isRead ? (projectId ?? "") : "",
  };
}
