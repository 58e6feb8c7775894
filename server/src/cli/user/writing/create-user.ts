import { type ApiClient, ApiRefusal } from "../../api-call.ts";
import { listOf, textOf } from "../../app/api-record.ts";
import { CommandError } from "../../command-error.ts";
import type { PreparedUser, Target } from "../checking/prepare-user.ts";
import { unfinishedKey } from "../checking/read-metadata.ts";
import { UserRefused } from "../sources/source.ts";
import { findByIds, findByUsernames, type KnownUser } from "./known-users.ts";

const userService = "user.v2.UserService";

const useNewIds = "let the server choose them with --new-ids, or use the token of an administrator of the instance";

// Others are about the token, a quota or the server: they end the run.
const codesOfUsers = [
  "invalid_argument",
  "already_exists",
  "failed_precondition",
  "not_found",
  "permission_denied",
  "internal",
];

const isAboutUser = (error: unknown): error is ApiRefusal =>
  error instanceof ApiRefusal && codesOfUsers.includes(error.code);

/** How the server is called. */
export interface ImportApi {
  readonly api: ApiClient;
  /**
   * The same, also once the run was stopped: for what a user still lacks who was created. One who is to be disabled
   * would otherwise be left active.
   */
  readonly apiToEnd: ApiClient;
}

/** What became of a user. */
export type Outcome = "created" | "exists" | "completed";

/**
 * Creates a user with everything that belongs to them in one call, which does all of it or nothing. Roles and state
 * need calls of their own: until they are done, metadata of the user says so, and the next run completes them.
 */
export async function createUser(deps: ImportApi, user: PreparedUser, target: Target): Promise<Outcome> {
  const { api, apiToEnd } = deps;
  let id: string;
  try {
    id = textOf(await api(`${userService}/CreateUser`, user.request), "id");
  } catch (error) {
    if (!isAboutUser(error)) throw error;
    if (error.id === "identifier.choice_denied") throw new CommandError(error.message, { fix: useNewIds });
    const known = error.code === "already_exists" ? await findNamesake(api, user, target) : undefined;
    if (known === undefined) {
      const why = `${error.message}${error.id === "" ? "" : ` (${error.id})`}`;
      throw new UserRefused("", why, error.code === "permission_denied");
    }
    return completeUser(deps, user, { known, target });
  }
  await finish(apiToEnd, user, { id, target });
  return "created";
}

/** Does what an interrupted run has left undone for a user who exists. Others stay as they are. */
export async function completeUser(
  { api, apiToEnd }: ImportApi,
  user: PreparedUser,
  { known, target }: { readonly known: KnownUser; readonly target: Target },
): Promise<"exists" | "completed"> {
  if (known.organizationId !== target.organizationId) {
    throw new UserRefused("id", "a user of another organization has this id or username");
  }
  if (user.roles.length === 0 && !user.isDisabled) return "exists";
  const answer = await api(`${userService}/ListUserMetadata`, {
    userId: known.id,
    filters: [{ keyFilter: { key: unfinishedKey, method: "TEXT_FILTER_METHOD_EQUALS" } }],
  });
  if (listOf(answer, "metadata").length === 0) return "exists";
  await finish(apiToEnd, user, { id: known.id, target });
  return "completed";
}

/**
 * Finds the user because of whom a creation was refused: the one with the id, if an answer was lost or another run was
 * faster, or with the username if the entry has no id. Otherwise the username belongs to another user.
 */
async function findNamesake(api: ApiClient, user: PreparedUser, target: Target): Promise<KnownUser | undefined> {
  if (user.id !== undefined) return (await findByIds(api, [user.id]))[0];
  const found = await findByUsernames(api, [user.username]);
  return found.find(({ organizationId }) => organizationId === target.organizationId) ?? found[0];
}

/** Gives roles, deactivates, and removes the note that this is left to do. Roles first: an inactive user gets none. */
async function finish(
  api: ApiClient,
  user: PreparedUser,
  { id, target }: { readonly id: string; readonly target: Target },
): Promise<void> {
  const { organizationId, projectId } = target;
  if (user.roles.length === 0 && !user.isDisabled) return;
  if (user.roles.length > 0) {
    const authorization = { userId: id, projectId, organizationId, roleKeys: user.roles };
    await unless(["already_exists"], "roles", () =>
      api("authorization.v2.AuthorizationService/CreateAuthorization", authorization),
    );
  }
  if (user.isDisabled) {
    await unless(["failed_precondition"], "state", () => api(`${userService}/DeactivateUser`, { userId: id }));
  }
  await api(`${userService}/DeleteUserMetadata`, { userId: id, keys: [unfinishedKey] });
}

/** Calls a method; refusals with these codes mean that it is done already. */
async function unless(codes: readonly string[], field: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!isAboutUser(error)) throw error;
    if (!codes.includes(error.code)) throw new UserRefused(field, `the user was created, but: ${error.message}`);
  }
}
