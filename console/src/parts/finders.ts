import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { TextQueryMethod } from "@doorward/api/service/object/v2/query_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import type { ProjectSearchFilterSchema } from "@doorward/api/service/project/v2/project_pb";
import { ProjectFieldName, ProjectOrganizationIDFilter_Type } from "@doorward/api/service/project/v2/project_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { type SearchQuerySchema, UserFieldName } from "@doorward/api/service/user/v2/query_pb";
import type { User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useMemo } from "react";
import { nameOf } from "../api/user-name.ts";
import { t } from "../text/catalogue.ts";
import { organizationFinders } from "./organization-finders.ts";
import type { Choice } from "./picker.tsx";

/** A project, and the organization in which its roles count. */
export interface ProjectChoice extends Choice {
  readonly projectId: string;
  readonly organizationId: string;
  readonly isGrant: boolean;
}

type UserQuery = MessageInitShape<typeof SearchQuerySchema>;

const limit = 10;
// Nothing says how many there are.
const countUpTo = 1;

/** Returns how pickers find users, organizations, projects and grants: at most ten of each, by the server. */
export function useFinders() {
  const transport = useTransport();
  return useMemo(
    () => ({ ...userFinders(transport), ...projectFinders(transport), ...organizationFinders(transport) }),
    [transport],
  );
}

function userFinders(transport: Transport) {
  const users = createClient(UserService, transport);
  const listUsers = async (queries: UserQuery[]): Promise<readonly Choice[]> => {
    const query = { limit, asc: true, countUpTo };
    const { result } = await users.listUsers({ query, sortingColumn: UserFieldName.DISPLAY_NAME, queries });
    return result.map(toUser);
  };
  return {
    async findUsers(text: string): Promise<readonly Choice[]> {
      const found = await listUsers(text === "" ? [] : [userQuery(text)]);
      if (found.length > 0 || text === "") return found;
      // Users of other organizations are found by their exact login name only, and reveal nothing but their id.
      const { ManagementService } = await import("@doorward/api/service/management/v1/management_service_pb");
      const { user } = await createClient(ManagementService, transport)
        .getUserByLoginNameGlobal({ loginName: text })
        .catch(() => ({ user: undefined }));
      return user === undefined ? [] : [{ id: user.id, name: text, detail: user.id }];
    },
    /** Finds users of one organization. */
    findUsersIn: (organizationId: string) => (text: string) =>
      listUsers([
        { query: { case: "organizationIdQuery", value: { organizationId } } },
        ...(text === "" ? [] : [userQuery(text)]),
      ]),
    /** The user with an id, which is never a search: other users may have chosen names that look like it. */
    async readUser(userId: string): Promise<Choice> {
      const [user] = await listUsers([{ query: { case: "inUserIdsQuery", value: { userIds: [userId] } } }]);
      return user ?? { id: userId, name: userId };
    },
  };
}

function projectFinders(transport: Transport) {
  const organizations = createClient(OrganizationService, transport);
  const projects = createClient(ProjectService, transport);
  const listProjects = async (filters: MessageInitShape<typeof ProjectSearchFilterSchema>[]) => {
    const pagination = { limit, asc: true, countUpTo };
    return (await projects.listProjects({ pagination, sortingColumn: ProjectFieldName.NAME, filters })).projects;
  };
  const namesOf = async (ids: readonly string[]): Promise<(id: string) => string> => {
    if (ids.length === 0) return (id) => id;
    const { result } = await organizations.listOrganizations({
      query: { limit },
      queries: [{ query: { case: "inIdsQuery", value: { ids: [...new Set(ids)] } } }],
    });
    const names = new Map(result.map(({ id, name }) => [id, name]));
    return (id) => names.get(id) ?? id;
  };
  return {
    /** Finds projects themselves, and not what was granted of them. */
    async findProjects(text: string): Promise<readonly Choice[]> {
      const found = await listProjects(projectFilters(text));
      const own = found.filter(({ grantedOrganizationId }) => !grantedOrganizationId);
      const ownerOf = await namesOf(own.map(({ organizationId }) => organizationId));
      // Several organizations can have projects of one name.
      return own.map(({ projectId, name, organizationId }) => ({
        id: projectId,
        name,
        detail: `${ownerOf(organizationId)} · ${projectId}`,
      }));
    },
    /** Finds projects that an organization owns or was granted, or all when none is given. */
    findProjectsOf: (organizationId: string | undefined) => async (text: string) => {
      const type = ProjectOrganizationIDFilter_Type.OWNED_OR_GRANTED;
      const ofOrganization =
        organizationId === undefined
          ? []
          : [{ filter: { case: "organizationIdFilter", value: { organizationId, type } } } as const];
      return (await listProjects([...projectFilters(text), ...ofOrganization])).map((project): ProjectChoice => {
        const granted = project.grantedOrganizationId;
        const name = project.grantedOrganizationName ?? granted ?? "";
        return {
          id: `${project.projectId} ${granted ?? ""}`,
          name: project.name,
          projectId: project.projectId,
          organizationId: granted ?? project.organizationId,
          isGrant: granted !== undefined,
          ...(granted !== undefined && { detail: t("user.roles.grantedTo", { name }) }),
        };
      });
    },
    /** The ids are those of the project and of the organization that it is granted to. */
    async findGrants(text: string): Promise<readonly Choice[]> {
      const { projectGrants } = await projects.listProjectGrants({
        pagination: { limit, countUpTo },
        filters: projectFilters(text),
      });
      const ownerOf = await namesOf(projectGrants.map(({ organizationId }) => organizationId));
      return projectGrants.map((grant) => ({
        id: `${grant.projectId} ${grant.grantedOrganizationId}`,
        name: grant.projectName,
        detail: `${ownerOf(grant.organizationId)} → ${grant.grantedOrganizationName} · ${grant.grantedOrganizationId}`,
      }));
    },
  };
}

const toUser = (user: User): Choice => ({ id: user.userId, name: nameOf(user), detail: user.preferredLoginName });

function projectFilters(text: string) {
  const value = { projectName: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
  return text === "" ? [] : [{ filter: { case: "projectNameFilter", value } } as const];
}

function userQuery(text: string): UserQuery {
  if (/^\d{15,}$/.test(text)) return { query: { case: "inUserIdsQuery", value: { userIds: [text] } } };
  // Beginnings are found by an index, also among a million users.
  const method = TextQueryMethod.STARTS_WITH_IGNORE_CASE;
  const queries: UserQuery[] = [
    { query: { case: "displayNameQuery", value: { displayName: text, method } } },
    { query: { case: "lastNameQuery", value: { lastName: text, method } } },
    { query: { case: "loginNameQuery", value: { loginName: text, method } } },
    { query: { case: "emailQuery", value: { emailAddress: text, method } } },
  ];
  return { query: { case: "orQuery", value: { queries } } };
}
