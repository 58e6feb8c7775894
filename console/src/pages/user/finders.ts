import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { TextQueryMethod } from "@doorward/api/service/object/v2/query_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { ProjectFieldName, ProjectOrganizationIDFilter_Type } from "@doorward/api/service/project/v2/project_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { UserFieldName } from "@doorward/api/service/user/v2/query_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import type { Choice } from "../../parts/picker.tsx";
import { t } from "../../text/catalogue.ts";
import { textQuery } from "./text-query.ts";
import { nameOf } from "./words.ts";

/** How a picker finds its choices: at most ten, by the server. */
type Find = (text: string) => Promise<readonly Choice[]>;

export function useFindOrganizations(): Find {
  const client = createClient(OrganizationService, useTransport());
  return async (text) => {
    const value = { name: text, method: TextQueryMethod.CONTAINS_IGNORE_CASE };
    const { result } = await client.listOrganizations({
      query: { limit: 10, asc: true },
      queries: text === "" ? [] : [{ query: { case: "nameQuery", value } }],
    });
    return result.map(({ id, name, primaryDomain }) => ({ id, name, detail: primaryDomain }));
  };
}

/** Finds users of an organization, or of all when none is given. */
export function useFindUsers(organizationId?: string): Find {
  const client = createClient(UserService, useTransport());
  return async (text) => {
    const { result } = await client.listUsers({
      query: { limit: 10, asc: true },
      sortingColumn: UserFieldName.DISPLAY_NAME,
      queries: [
        ...(text === "" ? [] : [textQuery(text)]),
        ...(organizationId === undefined
          ? []
          : [{ query: { case: "organizationIdQuery", value: { organizationId } } } as const]),
      ],
    });
    return result.map((user) => ({ id: user.userId, name: nameOf(user), detail: user.preferredLoginName }));
  };
}

/** A project, and the organization in which its roles count. */
export interface ProjectChoice extends Choice {
  readonly projectId: string;
  readonly organizationId: string;
  readonly isGrant: boolean;
}

/** Finds projects that an organization owns or has granted, or all when none is given. */
export function useFindProjects(organizationId?: string): (text: string) => Promise<readonly ProjectChoice[]> {
  const client = createClient(ProjectService, useTransport());
  return async (text) => {
    const name = { projectName: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
    const { projects } = await client.listProjects({
      pagination: { limit: 10, asc: true },
      sortingColumn: ProjectFieldName.NAME,
      filters: [
        ...(text === "" ? [] : [{ filter: { case: "projectNameFilter", value: name } } as const]),
        ...(organizationId === undefined
          ? []
          : [
              {
                filter: {
                  case: "organizationIdFilter",
                  value: { organizationId, type: ProjectOrganizationIDFilter_Type.OWNED_OR_GRANTED },
                },
              } as const,
            ]),
      ],
    });
    return projects.map((project) => {
      const granted = project.grantedOrganizationId;
      return {
        id: `${project.projectId} ${granted ?? ""}`,
        name: project.name,
        projectId: project.projectId,
        organizationId: granted ?? project.organizationId,
        isGrant: granted !== undefined,
        ...(granted !== undefined && {
          detail: t("user.roles.grantedTo", { name: project.grantedOrganizationName ?? granted }),
        }),
      };
    });
  };
}
