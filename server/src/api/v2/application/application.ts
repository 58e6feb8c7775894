import type { MessageInitShape } from "@bufbuild/protobuf";
import { APIAuthMethodType } from "@doorward/api/service/application/v2/api_pb";
import type {
  CreateApplicationRequest,
  CreateApplicationResponseSchema,
  UpdateApplicationRequest,
} from "@doorward/api/service/application/v2/application_operations_pb";
import {
  type ApplicationSchema,
  ApplicationSorting,
  ApplicationType,
  ApplicationState as WireState,
} from "@doorward/api/service/application/v2/application_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import type { ApplicationSearchFilter } from "@doorward/api/service/application/v2/query_pb";
import { Fault } from "../../../base/fault.ts";
import type { Language } from "../../../base/language.ts";
import type { Outbound } from "../../../base/outbound/index.ts";
import type { Database } from "../../../database/index.ts";
import {
  type ApiConfiguration,
  type Application,
  type ApplicationColumn,
  type ApplicationFilter,
  type ApplicationUpdate,
  type CreateApplicationDeps,
  type CreatedApplication,
  changeApplicationState,
  createApplicationInProject,
  createSamlApplication,
  etagOfApplication,
  generateClientSecret,
  getApplication,
  listApplications,
  type NewApplication,
  type NewSamlApplication,
} from "../../../domain/application/index.ts";
import {
  hasRegistrationToken,
  revokeRegistrationToken,
  type SamlApplicationUpdate,
  updateApplication,
  updateSamlApplication,
} from "../../../domain/registration/index.ts";
import type { Texts } from "../../../text/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toPage,
  toPagination,
  toTextMethod,
  toTimestamp,
} from "../../contract/index.ts";
import { fromWireConfiguration, toWireCompliance, toWireConfiguration } from "./oidc-configuration.ts";
import {
  fromWireOptions,
  requireMetadataSource,
  toMetadataSource,
  toWireSamlConfiguration,
  type WireSaml,
} from "./saml-configuration.ts";

export interface ApplicationMethodsDeps extends CreateApplicationDeps {
  readonly database: Database;
  readonly outbound: Outbound;
  readonly texts: Texts;
}

/** Methods on applications themselves. Keys: `application-key.ts`; deletion: `deletion`. */
export const applicationMethods = (deps: ApplicationMethodsDeps): Binding =>
  bind(ApplicationService, {
    async createApplication(call, request) {
      const { applicationType, projectId } = request;
      const created =
        applicationType.case === "samlConfiguration"
          ? await createSamlApplication(deps, call, toNewSaml(request, applicationType.value))
          : await createApplicationInProject(deps, call, { ...toNewApplication(request), projectId });
      return toCreated(created, { ...deps, language: call.language });
    },
    async updateApplication(call, request) {
      const { applicationType } = request;
      const { details } =
        applicationType.case === "samlConfiguration"
          ? await updateSamlApplication(deps, call, toSamlUpdate(request, applicationType.value))
          : await updateApplication(deps, call, toUpdate(request));
      return { changeDate: toTimestamp(details.changedAt) };
    },
    async getApplication(call, { applicationId }) {
      const application = await getApplication(deps, call, { applicationId });
      const message = toMessage(application, { ...deps, language: call.language });
      message.hasRegistrationToken = await hasRegistrationToken(deps.database.read, call.instanceId, application);
      return { application: message };
    },
    async deactivateApplication(call, { applicationId, projectId }) {
      const details = await changeApplicationState(deps, call, { applicationId, projectId, state: "inactive" });
      return { deactivationDate: toTimestamp(details.changedAt) };
    },
    async reactivateApplication(call, { applicationId, projectId }) {
      const details = await changeApplicationState(deps, call, { applicationId, projectId, state: "active" });
      return { reactivationDate: toTimestamp(details.changedAt) };
    },
    async generateClientSecret(call, { applicationId, projectId }) {
      const { clientSecret, details } = await generateClientSecret(deps, call, { applicationId, projectId });
      return { clientSecret: clientSecret.reveal(), creationDate: toTimestamp(details.changedAt) };
    },
    async revokeRegistrationToken(call, { applicationId, projectId }) {
      const { revokedAt } = await revokeRegistrationToken(deps, call, { applicationId, projectId });
      return { revocationDate: toTimestamp(revokedAt) };
    },
    async listApplications(call, { pagination, sortingColumn, filters }) {
      const requested = toPage(pagination);
      const { rows, total } = await listApplications(deps, call, {
        ...requested,
        filters: filters.map(toFilter),
        orderBy: columns[sortingColumn] ?? "created_at",
      });
      const applications = rows.map((application) => toMessage(application, { ...deps, language: call.language }));
      return { pagination: toPagination(total, requested.page), applications };
    },
  });

const toNewSaml = (
  { projectId, applicationId, name }: CreateApplicationRequest,
  wire: WireSaml,
): NewSamlApplication => ({
  projectId,
  name,
  ...(applicationId !== "" && { applicationId }),
  metadata: requireMetadataSource(wire),
  options: fromWireOptions(wire),
});

const toCommon = ({ applicationId, projectId, name, etag }: UpdateApplicationRequest) => ({
  applicationId,
  projectId,
  ...(name !== "" && { name }),
  ...(etag !== undefined && { etag }),
});

const toSamlUpdate = (request: UpdateApplicationRequest, wire: WireSaml): SamlApplicationUpdate => ({
  ...toCommon(request),
  metadata: toMetadataSource(wire),
  options: fromWireOptions(wire),
});

// A SAML application is created by an operation of its own.
function toNewApplication({ applicationId, name, applicationType }: CreateApplicationRequest): NewApplication {
  const common = { name, ...(applicationId !== "" && { applicationId }) };
  switch (applicationType.case) {
    case "oidcConfiguration":
      return { ...common, kind: "oidc", configuration: fromWireConfiguration(applicationType.value) };
    case "apiConfiguration":
      return { ...common, kind: "api", configuration: toApiConfiguration(applicationType.value) };
    case "samlConfiguration":
    case undefined:
      throw new Fault("invalid_argument", "application.type_missing", { field: "applicationType" });
    default:
      return applicationType satisfies never;
  }
}

function toUpdate(request: UpdateApplicationRequest): ApplicationUpdate {
  const { applicationType } = request;
  const common = toCommon(request);
  switch (applicationType.case) {
    case "oidcConfiguration":
      return { ...common, configuration: { kind: "oidc", fields: fromWireConfiguration(applicationType.value) } };
    case "apiConfiguration":
      return { ...common, configuration: { kind: "api", fields: toApiConfiguration(applicationType.value) } };
    case "samlConfiguration":
    case undefined:
      return common;
    default:
      return applicationType satisfies never;
  }
}

function toApiConfiguration({ authMethodType }: { readonly authMethodType: APIAuthMethodType }): ApiConfiguration {
  const isKey = authMethodType === APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT;
  return { authMethod: isKey ? "private_key_jwt" : "client_secret_basic" };
}

interface Speak {
  readonly texts: Texts;
  readonly language: Language;
}

function toCreated(
  { application, clientSecret }: CreatedApplication,
  speak: Speak,
): MessageInitShape<typeof CreateApplicationResponseSchema> {
  const { applicationId, clientId, details } = application;
  return {
    applicationId,
    creationDate: toTimestamp(details.createdAt),
    applicationType: toCreatedType(application, { clientId, clientSecret: clientSecret?.reveal() ?? "" }, speak),
  };
}

function toCreatedType(
  application: Application,
  credentials: { readonly clientId: string; readonly clientSecret: string },
  speak: Speak,
) {
  switch (application.kind) {
    case "oidc": {
      const value = { ...credentials, ...toWireCompliance(application.configuration, speak) };
      return { case: "oidcConfiguration", value } as const;
    }
    case "api":
      return { case: "apiConfiguration", value: credentials } as const;
    case "saml":
      return { case: "samlConfiguration", value: {} } as const;
    default:
      return application satisfies never;
  }
}

function toMessage(application: Application, speak: Speak): MessageInitShape<typeof ApplicationSchema> {
  const { applicationId, projectId, name, state, hasSecret, details } = application;
  return {
    applicationId,
    projectId,
    name,
    hasSecret,
    etag: etagOfApplication(application),
    state: state === "active" ? WireState.ACTIVE : WireState.INACTIVE,
    creationDate: toTimestamp(details.createdAt),
    changeDate: toTimestamp(details.changedAt),
    configuration: toWireKind(application, speak),
  };
}

function toWireKind(application: Application, speak: Speak) {
  switch (application.kind) {
    case "oidc":
      return { case: "oidcConfiguration", value: toWireConfiguration(application, speak) } as const;
    case "api":
      return { case: "apiConfiguration", value: toWireApi(application) } as const;
    case "saml":
      return { case: "samlConfiguration", value: toWireSamlConfiguration(application) } as const;
    default:
      return application satisfies never;
  }
}

function toWireApi({ clientId, configuration }: { clientId: string; configuration: ApiConfiguration }) {
  const authMethodType =
    configuration.authMethod === "private_key_jwt"
      ? APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT
      : APIAuthMethodType.API_AUTH_METHOD_TYPE_BASIC;
  return { clientId, authMethodType };
}

const columns = {
  [ApplicationSorting.APPLICATION_SORT_BY_ID]: "application_id",
  [ApplicationSorting.APPLICATION_SORT_BY_NAME]: "name",
  [ApplicationSorting.APPLICATION_SORT_BY_STATE]: "state",
  [ApplicationSorting.APPLICATION_SORT_BY_CREATION_DATE]: "created_at",
  [ApplicationSorting.APPLICATION_SORT_BY_CHANGE_DATE]: "changed_at",
} as const satisfies Record<ApplicationSorting, ApplicationColumn>;

function toFilter({ filter }: ApplicationSearchFilter, index: number): ApplicationFilter {
  switch (filter.case) {
    case "projectIdFilter":
      return { kind: "project", projectId: filter.value.projectId };
    case "nameFilter":
      return { kind: "name", method: toTextMethod(filter.value.method), name: filter.value.name };
    case "stateFilter":
      return toStateFilter(filter.value, `filters[${index}].stateFilter`);
    case "typeFilter":
      return toTypeFilter(filter.value, `filters[${index}].typeFilter`);
    case "clientIdFilter":
      return { kind: "client_id", clientId: filter.value.clientId };
    case "entityIdFilter":
      return { kind: "entity_id", entityId: filter.value.entityId };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}

function toStateFilter(state: WireState, field: string): ApplicationFilter {
  if (state === WireState.ACTIVE) return { kind: "state", state: "active" };
  if (state === WireState.INACTIVE) return { kind: "state", state: "inactive" };
  // Removed applications have no rows.
  return state === WireState.REMOVED ? { kind: "none" } : refuseFilter(field);
}

function toTypeFilter(type: ApplicationType, field: string): ApplicationFilter {
  if (type === ApplicationType.OIDC) return { kind: "type", type: "oidc" };
  if (type === ApplicationType.API) return { kind: "type", type: "api" };
  return type === ApplicationType.SAML ? { kind: "type", type: "saml" } : refuseFilter(field);
}
