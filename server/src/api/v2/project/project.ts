import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PrivateLabelingSetting as FirstPrivateLabeling } from "@doorward/api/service/project/v1/project_pb";
import {
  GrantedProjectState,
  PrivateLabelingSetting,
  ProjectFieldName,
  type ProjectSchema,
  type ProjectSearchFilter,
  ProjectOrganizationIDFilter_Type as Relation,
  ProjectState as WireState,
} from "@doorward/api/service/project/v2/project_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { type CreateProjectDeps, createProjectOfCaller } from "../../../domain/membership/index.ts";
import {
  changeProjectState,
  getProject,
  type ListedProject,
  listProjects,
  type PrivateLabeling,
  type ProjectColumn,
  type ProjectFilter,
  type ProjectSettings,
  updateProject,
} from "../../../domain/project/index.ts";
import {
  type Binding,
  bind,
  defined,
  refuseFilter,
  toPage,
  toPagination,
  toTextMethod,
  toTimestamp,
} from "../../contract/index.ts";

/** ProjectService: projects themselves. Deleting them: `delete-project.ts`. */
export const projectMethods = (deps: CreateProjectDeps): Binding =>
  bind(ProjectService, {
    async createProject(call, { organizationId, projectId, name, ...settings }) {
      const input = { ...defined({ organizationId, projectId, name }), ...toSettings(settings) };
      const project = await createProjectOfCaller(deps, call, input);
      return { projectId: project.projectId, creationDate: toTimestamp(project.details.createdAt) };
    },
    async updateProject(call, { projectId, name, ...settings }) {
      const details = await updateProject(deps, call, {
        ...defined({ projectId, name }),
        ...toSettings(settings),
      });
      return { changeDate: toTimestamp(details.changedAt) };
    },
    async getProject(call, { projectId }) {
      return { project: toMessage(await getProject(deps, call, { projectId })) };
    },
    async activateProject(call, { projectId }) {
      const details = await changeProjectState(deps, call, { projectId, state: "active" });
      return { changeDate: toTimestamp(details.changedAt) };
    },
    async deactivateProject(call, { projectId }) {
      const details = await changeProjectState(deps, call, { projectId, state: "inactive" });
      return { changeDate: toTimestamp(details.changedAt) };
    },
    async listProjects(call, { pagination, sortingColumn, filters }) {
      const requested = toPage(pagination);
      const { rows, total } = await listProjects(deps, call, {
        ...requested,
        filters: filters.map(toFilter),
        orderBy: columns[sortingColumn ?? ProjectFieldName.UNSPECIFIED] ?? "created_at",
      });
      return { pagination: toPagination(total, requested.page), projects: rows.map(toMessage) };
    },
  });

interface WireSettings {
  readonly projectRoleAssertion?: boolean | undefined;
  readonly authorizationRequired?: boolean | undefined;
  readonly projectAccessRequired?: boolean | undefined;
  readonly privateLabelingSetting?: PrivateLabelingSetting | undefined;
}

function toSettings(settings: WireSettings): Partial<ProjectSettings> {
  const { privateLabelingSetting } = settings;
  return defined({
    isRoleAssertionOn: settings.projectRoleAssertion,
    isAuthorizationRequired: settings.authorizationRequired,
    isProjectAccessRequired: settings.projectAccessRequired,
    privateLabeling: privateLabelingSetting === undefined ? undefined : privateLabelings[privateLabelingSetting],
  });
}

/** Whose branding is shown. Both generations number it alike. */
export const privateLabelings = {
  [PrivateLabelingSetting.UNSPECIFIED]: "unspecified",
  [PrivateLabelingSetting.ENFORCE_PROJECT_RESOURCE_OWNER_POLICY]: "project_owner",
  [PrivateLabelingSetting.ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY]: "user_organization",
} as const satisfies Record<PrivateLabelingSetting | FirstPrivateLabeling, PrivateLabeling>;

/** The same table in the other direction. */
export const wirePrivateLabelings = {
  unspecified: PrivateLabelingSetting.UNSPECIFIED,
  project_owner: PrivateLabelingSetting.ENFORCE_PROJECT_RESOURCE_OWNER_POLICY,
  user_organization: PrivateLabelingSetting.ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY,
} as const satisfies Record<PrivateLabeling, PrivateLabelingSetting>;

const columns = {
  [ProjectFieldName.UNSPECIFIED]: "created_at",
  [ProjectFieldName.ID]: "project_id",
  [ProjectFieldName.CREATION_DATE]: "created_at",
  [ProjectFieldName.CHANGE_DATE]: "changed_at",
  [ProjectFieldName.NAME]: "name",
} as const satisfies Record<ProjectFieldName, ProjectColumn>;

const relations = {
  [Relation.TYPE_UNSPECIFIED]: "owned_or_granted",
  [Relation.OWNED]: "owned",
  [Relation.GRANTED]: "granted",
  [Relation.OWNED_OR_GRANTED]: "owned_or_granted",
} as const;

function toFilter({ filter }: ProjectSearchFilter, index: number): ProjectFilter {
  switch (filter.case) {
    case "projectNameFilter":
      return { kind: "name", method: toTextMethod(filter.value.method), name: filter.value.projectName };
    case "inProjectIdsFilter":
      return { kind: "ids", projectIds: filter.value.ids };
    case "organizationIdFilter": {
      const { organizationId, type } = filter.value;
      return { kind: "organization", organizationId, relation: relations[type] };
    }
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}

function toMessage(project: ListedProject): MessageInitShape<typeof ProjectSchema> {
  const { granted, details } = project;
  return {
    projectId: project.projectId,
    organizationId: project.organizationId,
    name: project.name,
    state: project.state === "active" ? WireState.ACTIVE : WireState.INACTIVE,
    projectRoleAssertion: project.isRoleAssertionOn,
    authorizationRequired: project.isAuthorizationRequired,
    projectAccessRequired: project.isProjectAccessRequired,
    privateLabelingSetting: wirePrivateLabelings[project.privateLabeling],
    creationDate: toTimestamp(details.createdAt),
    changeDate: toTimestamp(details.changedAt),
    ...(granted && {
      grantedOrganizationId: granted.organizationId,
      grantedOrganizationName: granted.organizationName,
      grantedState: granted.state === "active" ? GrantedProjectState.ACTIVE : GrantedProjectState.INACTIVE,
    }),
  };
}
