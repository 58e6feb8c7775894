import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { TextQueryMethod } from "@doorward/api/service/object/v2/query_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import type { SearchQuerySchema } from "@doorward/api/service/user/v2/query_pb";
import type { User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useMemo } from "react";
import type { Choice } from "../../parts/picker.tsx";

const limit = 10;

/** Returns what pickers of users, organizations, projects and grants search with. */
export function useFind() {
  const transport = useTransport();
  return useMemo(() => {
    const users = createClient(UserService, transport);
    const organizations = createClient(OrganizationService, transport);
    const projects = createClient(ProjectService, transport);
    const management = createClient(ManagementService, transport);
    return {
      async findUsers(text: string): Promise<readonly Choice[]> {
        const { result } = await users.listUsers({ query: { limit }, queries: text === "" ? [] : [userQuery(text)] });
        if (result.length > 0 || text === "") return result.map(toChoice);
        // Users of other organizations are found by their exact login name only, and reveal nothing but their id.
        const { user } = await management
          .getUserByLoginNameGlobal({ loginName: text })
          .catch(() => ({ user: undefined }));
        return user === undefined ? [] : [{ id: user.id, name: text, detail: user.id }];
      },
      /** The user with an id, which is never a search: other users may have chosen names that look like it. */
      async readUser(userId: string): Promise<Choice> {
        const { result } = await users.listUsers({
          queries: [{ query: { case: "inUserIdsQuery", value: { userIds: [userId] } } }],
        });
        const [user] = result;
        return user === undefined ? { id: userId, name: userId } : toChoice(user);
      },
      async findOrganizations(text: string): Promise<readonly Choice[]> {
        const value = { name: text, method: TextQueryMethod.CONTAINS_IGNORE_CASE };
        const { result } = await organizations.listOrganizations({
          query: { limit },
          queries: text === "" ? [] : [{ query: { case: "nameQuery", value } }],
        });
        return result.map(({ id, name, primaryDomain }) => ({ id, name, detail: primaryDomain }));
      },
      async findProjects(text: string): Promise<readonly Choice[]> {
        const value = { projectName: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
        const { projects: found } = await projects.listProjects({
          pagination: { limit },
          filters: text === "" ? [] : [{ filter: { case: "projectNameFilter", value } }],
        });
        return found.map(({ projectId, name }) => ({ id: projectId, name }));
      },
      /** The ids are those of the project and of the organization that it is granted to. */
      async findGrants(text: string): Promise<readonly Choice[]> {
        const value = { projectName: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
        const { projectGrants } = await projects.listProjectGrants({
          pagination: { limit },
          filters: text === "" ? [] : [{ filter: { case: "projectNameFilter", value } }],
        });
        return projectGrants.map((grant) => ({
          id: `${grant.projectId} ${grant.grantedOrganizationId}`,
          name: grant.projectName,
          detail: `→ ${grant.grantedOrganizationName}`,
        }));
      },
    };
  }, [transport]);
}

const userQuery = (text: string): MessageInitShape<typeof SearchQuerySchema> => {
  if (/^\d{15,}$/.test(text)) return { query: { case: "inUserIdsQuery", value: { userIds: [text] } } };
  // Beginnings are found by an index, also among a million users.
  const method = TextQueryMethod.STARTS_WITH_IGNORE_CASE;
  const queries = [
    { query: { case: "displayNameQuery", value: { displayName: text, method } } },
    { query: { case: "loginNameQuery", value: { loginName: text, method } } },
    { query: { case: "emailQuery", value: { emailAddress: text, method } } },
  ] satisfies MessageInitShape<typeof SearchQuerySchema>[];
  return { query: { case: "orQuery", value: { queries } } };
};

const toChoice = ({ userId, preferredLoginName, type }: User): Choice => ({
  id: userId,
  name: (type.case === "human" ? type.value.profile?.displayName : type.value?.name) || preferredLoginName,
  detail: preferredLoginName,
});
