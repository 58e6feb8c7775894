import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { AddOIDCAppRequestSchema } from "@doorward/api/service/management/v1/project_app_pb";
import { AddProjectRequestSchema } from "@doorward/api/service/management/v1/project_pb";
import type { Reader } from "./reader.ts";
import { sameFields } from "./same-fields.ts";

const management = ManagementService.method;

/** Returns the projects of an organization with roles and applications, without the secrets of clients. */
export async function exportProjects({ perform, readAll }: Reader, orgId: string, leftOut: ReadonlySet<string>) {
  const listed = await readAll((query) => perform(management.listProjects, { query }, orgId));
  const projects = listed.map((project) => ({
    projectId: project.id,
    state: project.state,
    project: sameFields(AddProjectRequestSchema, project, {}),
  }));
  const projectRoles = [];
  const oidcApps = [];
  const apiApps = [];
  for (const { projectId } of projects) {
    const roles = await readAll((query) => perform(management.listProjectRoles, { projectId, query }, orgId));
    for (const { key, displayName, group } of roles) {
      projectRoles.push({ projectId, roleKey: key, displayName, group });
    }
    for (const app of await readAll((query) => perform(management.listApps, { projectId, query }, orgId))) {
      const { id: appId, name, state, config } = app;
      if (leftOut.has(appId)) continue;
      if (config.case === "oidcConfig") {
        oidcApps.push({ appId, state, app: sameFields(AddOIDCAppRequestSchema, config.value, { projectId, name }) });
      } else if (config.case === "apiConfig") {
        apiApps.push({ appId, state, app: { projectId, name, authMethodType: config.value.authMethodType } });
      }
    }
  }
  return { projects, projectRoles, oidcApps, apiApps };
}
