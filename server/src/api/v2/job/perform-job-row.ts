import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Authorization } from "@doorward/api/service/authorization/v2/authorization_pb";
import { AuthorizationService } from "@doorward/api/service/authorization/v2/authorization_service_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import type { BulkAction } from "../../../domain/bulk-job/index.ts";

/** Calls a method of the contract as the user who created a job. */
export type PerformMethod = <Method extends DescMethodUnary>(
  method: Method,
  request: MessageInitShape<Method["input"]>,
) => Promise<MessageShape<Method["output"]>>;

const users = UserService.method;
const authorizations = AuthorizationService.method;

/** Does what a job does with one user, by the methods that do it for a single one. Throws what they refuse. */
export async function performJobRow(perform: PerformMethod, action: BulkAction, userId: string): Promise<void> {
  switch (action.kind) {
    case "deactivate":
      await perform(users.deactivateUser, { userId });
      return;
    case "reactivate":
      await perform(users.reactivateUser, { userId });
      return;
    case "lock":
      await perform(users.lockUser, { userId });
      return;
    case "unlock":
      await perform(users.unlockUser, { userId });
      return;
    case "delete":
      await perform(users.deleteUser, { userId });
      return;
    case "resend_invitation":
      await perform(users.resendInviteCode, { userId });
      return;
    case "set_metadata": {
      const metadata = action.metadata.map(({ key, value }) => ({ key, value: Buffer.from(value, "base64") }));
      await perform(users.setUserMetadata, { userId, metadata });
      return;
    }
    case "add_roles":
      return addRoles(perform, action.roles, userId);
    case "remove_roles":
      return removeRoles(perform, action.roles, userId);
    default:
      return action satisfies never;
  }
}

type Roles = Extract<BulkAction, { readonly roles: unknown }>["roles"];

async function addRoles(perform: PerformMethod, roles: Roles, userId: string): Promise<void> {
  const { projectId, organizationId, roleKeys } = roles;
  const [found] = await listAuthorizationsOf(perform, roles, userId);
  if (found === undefined) {
    await perform(authorizations.createAuthorization, { userId, projectId, organizationId, roleKeys: [...roleKeys] });
    return;
  }
  const { held, id } = found;
  if (roleKeys.every((key) => held.includes(key))) return;
  await perform(authorizations.updateAuthorization, { id, roleKeys: [...new Set([...held, ...roleKeys])] });
}

async function removeRoles(perform: PerformMethod, roles: Roles, userId: string): Promise<void> {
  for (const { held, id } of await listAuthorizationsOf(perform, roles, userId)) {
    const kept = held.filter((key) => !roles.roleKeys.includes(key));
    if (kept.length === held.length) continue;
    if (kept.length === 0) await perform(authorizations.deleteAuthorization, { id });
    else await perform(authorizations.updateAuthorization, { id, roleKeys: kept });
  }
}

/**
 * Lists what the user has in the project already, in the organization that is meant, as far as the creator of the job
 * may read it. The organization is a filter: the user may have more assignments of other ones than a page holds.
 */
async function listAuthorizationsOf(
  perform: PerformMethod,
  { projectId, organizationId }: Roles,
  userId: string,
): Promise<{ readonly id: string; readonly held: readonly string[] }[]> {
  const list = async (id: string): Promise<Authorization[]> => {
    const found = await perform(authorizations.listAuthorizations, {
      filters: [
        { filter: { case: "inUserIds", value: { ids: [userId] } } },
        { filter: { case: "projectId", value: { id: projectId } } },
        ...(id === "" ? [] : [{ filter: { case: "organizationId", value: { id } } } as const]),
      ],
    });
    return found.authorizations;
  };
  // Each assignment names the owner of its project.
  const meant = organizationId === "" ? (await list(""))[0]?.project?.organizationId : organizationId;
  if (meant === undefined) return [];
  return (await list(meant)).map(({ id, roles }) => ({ id, held: roles.map(({ key }) => key) }));
}
