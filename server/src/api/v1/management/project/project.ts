import type { MessageInitShape } from "@bufbuild/protobuf";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import {
  type PrivateLabelingSetting,
  type ProjectQuery,
  type ProjectSchema,
  ProjectState as WireState,
} from "@doorward/api/service/project/v1/project_pb";
import { type Call, requireOrganization } from "../../../../call/index.ts";
import { type CreateProjectDeps, createProjectOfCaller } from "../../../../domain/membership/index.ts";
import {
  changeProjectState,
  getProject,
  listProjects,
  type Project,
  type ProjectFilter,
  type ProjectSettings,
  type ProjectState,
  updateProject,
} from "../../../../domain/project/index.ts";
import {
  type Binding,
  bind,
  type Handlers,
  refuseFilter,
  toListDetailsV1,
  toObjectDetails,
  toPageV1,
  toTextMethod,
} from "../../../contract/index.ts";
import { privateLabelings, wirePrivateLabelings } from "../../../v2/project/project.ts";
import { inProjectOfOrganization } from "./in-organization.ts";

/** ManagementService: projects of the organization of the call. Deleting one: `delete-project.ts`. */
export function managementProjectMethods(deps: CreateProjectDeps): Binding {
  const changeState = async (call: Call, projectId: string, state: ProjectState) => ({
    details: toObjectDetails(await changeProjectState(deps, call, { projectId, state })),
  });
  const ofOneProject: Handlers<typeof ManagementService> = {
    async getProjectByID(call, { id: projectId }) {
      return { project: toMessage(await getProject(deps, call, { projectId })) };
    },
    async updateProject(call, { id: projectId, name, ...settings }) {
      const details = await updateProject(deps, call, { projectId, name, ...toSettings(settings) });
      return { details: toObjectDetails(details) };
    },
    deactivateProject: (call, { id }) => changeState(call, id, "inactive"),
    reactivateProject: (call, { id }) => changeState(call, id, "active"),
  };
  return bind(ManagementService, {
    async addProject(call, { name, ...settings }) {
      const input = { organizationId: requireOrganization(call), name, ...toSettings(settings) };
      const project = await createProjectOfCaller(deps, call, input);
      return { id: project.projectId, details: toObjectDetails(project.details) };
    },
    async listProjects(call, { query, queries }) {
      const organizationId = requireOrganization(call);
      const { rows, total } = await listProjects(deps, call, {
        ...toPageV1(query),
        filters: [{ kind: "organization", organizationId, relation: "owned" }, ...queries.map(toFilter)],
        orderBy: "created_at",
      });
      return { details: toListDetailsV1(total, call.now), result: rows.map(toMessage) };
    },
    ...inProjectOfOrganization(deps, ofOneProject),
  });
}

interface WireSettings {
  readonly projectRoleAssertion: boolean;
  readonly projectRoleCheck: boolean;
  readonly hasProjectCheck: boolean;
  readonly privateLabelingSetting: PrivateLabelingSetting;
}

const toSettings = (settings: WireSettings): ProjectSettings => ({
  isRoleAssertionOn: settings.projectRoleAssertion,
  isAuthorizationRequired: settings.projectRoleCheck,
  isProjectAccessRequired: settings.hasProjectCheck,
  privateLabeling: privateLabelings[settings.privateLabelingSetting],
});

const toMessage = (project: Project): MessageInitShape<typeof ProjectSchema> => ({
  id: project.projectId,
  details: toObjectDetails(project.details),
  name: project.name,
  state: project.state === "active" ? WireState.ACTIVE : WireState.INACTIVE,
  projectRoleAssertion: project.isRoleAssertionOn,
  projectRoleCheck: project.isAuthorizationRequired,
  hasProjectCheck: project.isProjectAccessRequired,
  privateLabelingSetting: wirePrivateLabelings[project.privateLabeling] as number,
});

function toFilter({ query }: ProjectQuery, index: number): ProjectFilter {
  switch (query.case) {
    case "nameQuery":
      return { kind: "name", method: toTextMethod(query.value.method), name: query.value.name };
    case "projectResourceOwnerQuery":
      return { kind: "organization", organizationId: query.value.resourceOwner, relation: "owned" };
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return query satisfies never;
  }
}
