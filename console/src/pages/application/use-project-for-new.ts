import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { ProjectFieldName } from "@doorward/api/service/project/v2/project_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import type { Choice } from "../../parts/picker.tsx";
import { useHomeOrganization } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

interface ProjectForNew {
  /** The newest project of the organization, which a new application is likely to belong to. */
  readonly project: Choice | undefined;
  /** Creates a project, for an organization that has none. */
  readonly createProject: () => Promise<string>;
  readonly hint: string | undefined;
}

/** Proposes the project of a new application, so that the first one needs no project to be created before. */
export function useProjectForNew(): ProjectForNew {
  const client = createClient(ProjectService, useTransport());
  const home = useHomeOrganization();
  const organizationId = home?.id ?? "";
  const found = useQuery(
    ProjectService.method.listProjects,
    {
      pagination: { limit: 2 },
      sortingColumn: ProjectFieldName.CREATION_DATE,
      filters: [{ filter: { case: "organizationIdFilter", value: { organizationId } } }],
    },
    { enabled: home !== undefined },
  );
  const own = found.data?.projects.find(
    ({ grantedOrganizationId, name }) => !grantedOrganizationId && name !== "Doorward",
  );
  return {
    project: own && { id: own.projectId, name: own.name },
    createProject: async () =>
      (await client.createProject({ organizationId, name: t("application.project.first") })).projectId,
    hint: own ? undefined : t("application.project.hint"),
  };
}
