import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { useAddress } from "../../address.ts";
import type { Choice } from "../../parts/picker.tsx";
import { useHomeOrganization } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

interface ProjectForNew {
  /**
   * That of the address, or the project of an organization that has one. Among several, the creator of the newest would
   * decide for others.
   */
  readonly project: Choice | undefined;
  /**
   * Creates a project for an application that none was chosen for. Where the usual name is taken it has that of the
   * application: in the other project, its creator would decide for others.
   */
  readonly createProject: (applicationName: string) => Promise<string>;
  readonly hint: string | undefined;
}

/** Proposes the project of a new application, so that the first one needs no project to be created before. */
export function useProjectForNew(): ProjectForNew {
  const client = createClient(ProjectService, useTransport());
  const home = useHomeOrganization();
  const { project: named } = useAddress().search;
  const ofAddress = useQuery(
    ProjectService.method.getProject,
    { projectId: named ?? "" },
    { enabled: named !== undefined },
  ).data?.project;
  const organizationId = home?.id ?? "";
  const found = useQuery(
    ProjectService.method.listProjects,
    {
      pagination: { limit: 3 },
      filters: [{ filter: { case: "organizationIdFilter", value: { organizationId } } }],
    },
    { enabled: home !== undefined },
  );
  const all = found.data?.projects.filter(
    ({ grantedOrganizationId, name }) => !grantedOrganizationId && name !== "Doorward",
  );
  const own = ofAddress ?? (all?.length === 1 ? all[0] : undefined);
  return {
    project: own && { id: own.projectId, name: own.name },
    createProject: async (applicationName) => {
      const usual = t("application.project.first");
      const { projects } = await client.listProjects({
        pagination: { limit: 1 },
        filters: [
          { filter: { case: "organizationIdFilter", value: { organizationId } } },
          { filter: { case: "projectNameFilter", value: { projectName: usual, method: TextFilterMethod.EQUALS } } },
        ],
      });
      const name = projects.length === 0 ? usual : applicationName;
      return (await client.createProject({ organizationId, name })).projectId;
    },
    hint: own ? undefined : t("application.project.hint"),
  };
}
