import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  APIAuthMethodType,
  type AppQuery,
  type AppSchema,
  AppState as WireState,
} from "@doorward/api/service/app/v1/app_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Call } from "../../../../call/index.ts";
import {
  type ApiConfiguration,
  type Application,
  type ApplicationFilter,
  type ApplicationKind,
  type ApplicationState,
  type ApplicationUpdate,
  type CreatedApplication,
  changeApplicationState,
  createApplicationInProject,
  createSamlApplication,
  generateClientSecret,
  getApplication,
  listApplications,
  type NewApplication,
  type SamlApplication,
} from "../../../../domain/application/index.ts";
import { requireProjectOfOrganization } from "../../../../domain/project/index.ts";
import { updateApplication, updateSamlApplication } from "../../../../domain/registration/index.ts";
import {
  type Binding,
  bind,
  checkFirst,
  type Handlers,
  refuseFilter,
  toListDetailsV1,
  toObjectDetails,
  toPageV1,
  toTextMethod,
} from "../../../contract/index.ts";
import type { ApplicationMethodsDeps } from "../../../v2/application/application.ts";
import { toWireCompliance } from "../../../v2/application/oidc-configuration.ts";
import {
  fromWireOptions,
  requireMetadataSource,
  toMetadataSource,
  toWireSaml,
} from "../../../v2/application/saml-configuration.ts";
import { fromWireConfigurationV1, toWireConfigurationV1, withFieldsOfConfiguration } from "./oidc-configuration.ts";

interface Named {
  readonly projectId: string;
  readonly appId: string;
}

/**
 * ManagementService: applications in projects of the organization of the call. Keys: `application-key.ts`;
 * deletion: `deletion`.
 */
export function managementApplicationMethods(deps: ApplicationMethodsDeps): Binding {
  const { create, update, changeState, generateSecret } = writesOf(deps);
  const inProject: Handlers<typeof ManagementService> = {
    async getAppByID(call, { projectId, appId: applicationId }) {
      return { app: toMessage(deps, call, await getApplication(deps, call, { projectId, applicationId })) };
    },
    async listApps(call, { projectId, query, queries }) {
      const { rows, total } = await listApplications(deps, call, {
        ...toPageV1(query),
        filters: [{ kind: "project", projectId }, ...queries.map(toFilter)],
        orderBy: "created_at",
      });
      return { details: toListDetailsV1(total, call.now), result: rows.map((row) => toMessage(deps, call, row)) };
    },
    async addOIDCApp(call, { projectId, name, ...wire }) {
      const configuration = fromWireConfigurationV1(wire);
      const { application, ...added } = await create(call, { projectId, name, kind: "oidc", configuration });
      if (application.kind !== "oidc") return added;
      const { nonCompliant, complianceProblems } = toWireCompliance(application.configuration, {
        ...deps,
        language: call.language,
      });
      return { ...added, noneCompliant: nonCompliant, complianceProblems };
    },
    async addAPIApp(call, { projectId, name, authMethodType }) {
      const configuration = toApiConfiguration(authMethodType);
      const { application, ...added } = await create(call, { projectId, name, kind: "api", configuration });
      return added;
    },
    async addSAMLApp(call, { projectId, name, ...wire }) {
      const input = { projectId, name, metadata: requireMetadataSource(wire), options: fromWireOptions(wire) };
      const { application } = await createSamlApplication(deps, call, input);
      return { appId: application.applicationId, details: toObjectDetails(application.details) };
    },
    async updateSAMLAppConfig(call, { projectId, appId: applicationId, ...wire }) {
      const input = { projectId, applicationId, metadata: toMetadataSource(wire), options: fromWireOptions(wire) };
      const { details } = await withFieldsOfConfiguration(() => updateSamlApplication(deps, call, input));
      return { details: toObjectDetails(details) };
    },
    updateApp: (call, { name, ...app }) => update(call, app, { name }),
    updateOIDCAppConfig: (call, { projectId, appId, ...wire }) =>
      update(call, { projectId, appId }, { configuration: { kind: "oidc", fields: fromWireConfigurationV1(wire) } }),
    updateAPIAppConfig: (call, { authMethodType, ...app }) =>
      update(call, app, { configuration: { kind: "api", fields: toApiConfiguration(authMethodType) } }),
    deactivateApp: (call, app) => changeState(call, app, "inactive"),
    reactivateApp: (call, app) => changeState(call, app, "active"),
    regenerateOIDCClientSecret: (call, app) => generateSecret(call, app, "oidc"),
    regenerateAPIClientSecret: (call, app) => generateSecret(call, app, "api"),
  };
  const { read } = deps.database;
  const isOfOrganization = (call: Call, { projectId }: Named) => requireProjectOfOrganization(read, call, projectId);
  return bind(ManagementService, checkFirst(inProject, isOfOrganization));
}

function writesOf(deps: ApplicationMethodsDeps) {
  return {
    async create(call: Call, input: NewApplication & { readonly projectId: string }) {
      const created = await withFieldsOfConfiguration(() => createApplicationInProject(deps, call, input));
      return toCreated(created);
    },
    async update(
      call: Call,
      { projectId, appId: applicationId }: Named,
      change: Pick<ApplicationUpdate, "name" | "configuration">,
    ) {
      const { details } = await withFieldsOfConfiguration(() =>
        updateApplication(deps, call, { projectId, applicationId, ...change }),
      );
      return { details: toObjectDetails(details) };
    },
    async changeState(call: Call, { projectId, appId: applicationId }: Named, state: ApplicationState) {
      const details = await changeApplicationState(deps, call, { projectId, applicationId, state });
      return { details: toObjectDetails(details) };
    },
    async generateSecret(call: Call, { projectId, appId: applicationId }: Named, kind: ApplicationKind) {
      const { clientSecret, details } = await withFieldsOfConfiguration(() =>
        generateClientSecret(deps, call, { projectId, applicationId, kind }),
      );
      return { clientSecret: clientSecret.reveal(), details: toObjectDetails(details) };
    },
  };
}

const toCreated = ({ application, clientSecret }: CreatedApplication) => ({
  application,
  appId: application.applicationId,
  details: toObjectDetails(application.details),
  clientId: application.clientId,
  clientSecret: clientSecret?.reveal() ?? "",
});

function toMessage(
  deps: Pick<ApplicationMethodsDeps, "texts">,
  { language }: Call,
  application: Application,
): MessageInitShape<typeof AppSchema> {
  const { applicationId: id, name, state, details } = application;
  return {
    id,
    details: toObjectDetails(details),
    state: state === "active" ? WireState.ACTIVE : WireState.INACTIVE,
    name,
    config: toWireKind(application, { ...deps, language }),
  };
}

function toWireKind(application: Application, speak: Pick<ApplicationMethodsDeps, "texts"> & Pick<Call, "language">) {
  switch (application.kind) {
    case "oidc":
      return { case: "oidcConfig", value: toWireConfigurationV1(application, speak) } as const;
    case "api":
      return { case: "apiConfig", value: toWireApi(application) } as const;
    case "saml":
      return {
        case: "samlConfig",
        value: { ...toWireSaml(application), metadata: toWireMetadata(application) },
      } as const;
    default:
      return application satisfies never;
  }
}

const toWireMetadata = ({ configuration: { metadataUrl, metadataXml } }: SamlApplication) =>
  metadataUrl === ""
    ? ({ case: "metadataXml", value: Buffer.from(metadataXml, "utf8") } as const)
    : ({ case: "metadataUrl", value: metadataUrl } as const);

const toApiConfiguration = (method: APIAuthMethodType): ApiConfiguration => ({
  authMethod:
    method === APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT ? "private_key_jwt" : "client_secret_basic",
});

const toWireApi = ({ clientId, configuration }: { clientId: string; configuration: ApiConfiguration }) => ({
  clientId,
  authMethodType:
    configuration.authMethod === "private_key_jwt"
      ? APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT
      : APIAuthMethodType.API_AUTH_METHOD_TYPE_BASIC,
});

function toFilter({ query }: AppQuery, index: number): ApplicationFilter {
  if (query.case === undefined) return refuseFilter(`queries[${index}]`);
  return { kind: "name", method: toTextMethod(query.value.method), name: query.value.name };
}
