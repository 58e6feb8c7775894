import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppState, type LoginVersion } from "@doorward/api/service/app/v1/app_pb";
import type { CreateApplicationRequestSchema } from "@doorward/api/service/application/v2/application_operations_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import type { LoginVersionSchema } from "@doorward/api/service/application/v2/login_pb";
import type { CreateOIDCApplicationRequestSchema } from "@doorward/api/service/application/v2/oidc_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { AddOIDCAppRequest } from "@doorward/api/service/management/v1/project_app_pb";
import { ProjectState } from "@doorward/api/service/project/v1/project_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { makeClosed } from "./close-entry.ts";
import type { Entries } from "./imported.ts";
import type { Run } from "./run.ts";

const management = ManagementService.method;

/** Projects, their roles and applications, which keep their ids. */
export const projectEntries: readonly Entries[] = [
  ({ orgId, projects }) =>
    projects.map(({ projectId, project, state }) => ({
      type: "project",
      id: projectId,
      perform: async (run, done) => {
        if (project === undefined) return run.refuse("data.not_imported");
        const wanted = {
          organizationId: orgId,
          ...(projectId !== "" && { projectId }),
          name: project.name,
          projectRoleAssertion: project.projectRoleAssertion,
          authorizationRequired: project.projectRoleCheck,
          projectAccessRequired: project.hasProjectCheck,
          privateLabelingSetting: project.privateLabelingSetting as number,
        };
        const make = async () => (await run.perform(ProjectService.method.createProject, wanted, orgId)).projectId;
        const id = await (state === ProjectState.INACTIVE
          ? makeClosed({
              make,
              close: (newId) => run.performToEnd(management.deactivateProject, { id: newId }, orgId),
              remove: (newId) => run.performToEnd(management.removeProject, { id: newId }, orgId),
              existing: () => projectId,
            })
          : make());
        done.projectIds.push(id);
      },
    })),
  ({ orgId, projectRoles }) =>
    projectRoles.map((role) => ({
      type: "project_role",
      id: `${role.projectId}_${role.roleKey}`,
      perform: async ({ perform }, done) => {
        await perform(management.addProjectRole, role, orgId);
        done.projectRoles.push(`${role.projectId}_${role.roleKey}`);
      },
    })),
  ({ orgId, oidcApps }) =>
    oidcApps.map(({ appId, app, state }) => ({
      type: "oidc_app",
      id: appId,
      perform: async (run, done) => {
        if (app === undefined) return run.refuse("data.not_imported");
        const applicationType = { case: "oidcConfiguration", value: toConfiguration(app) } as const;
        done.oidcAppIds.push(await createApplication(run, { orgId, appId, app, state, applicationType }));
      },
    })),
  ({ orgId, apiApps }) =>
    apiApps.map(({ appId, app, state }) => ({
      type: "api_app",
      id: appId,
      perform: async (run, done) => {
        if (app === undefined) return run.refuse("data.not_imported");
        const value = { authMethodType: app.authMethodType as number };
        const applicationType = { case: "apiConfiguration", value } as const;
        done.apiAppIds.push(await createApplication(run, { orgId, appId, app, state, applicationType }));
      },
    })),
  // No method takes the public key of an application's key.
  ({ appKeys }) =>
    appKeys.map(({ id }) => ({ type: "app_key", id, perform: async (run) => run.refuse("data.not_imported") })),
];

interface NewApplication {
  readonly orgId: string;
  readonly appId: string;
  readonly app: { readonly projectId: string; readonly name: string };
  readonly state: AppState;
  readonly applicationType: NonNullable<MessageInitShape<typeof CreateApplicationRequestSchema>["applicationType"]>;
}

/** Creates an application, active or inactive, and returns its id. */
async function createApplication(
  run: Run,
  { orgId, appId, app: { projectId, name }, state, applicationType }: NewApplication,
): Promise<string> {
  const wanted = { projectId, applicationId: appId, name, applicationType };
  const make = async () =>
    (await run.perform(ApplicationService.method.createApplication, wanted, orgId)).applicationId;
  if (state !== AppState.INACTIVE) return make();
  return makeClosed({
    make,
    close: (id) => run.performToEnd(management.deactivateApp, { projectId, appId: id }, orgId),
    remove: (id) => run.performToEnd(management.removeApp, { projectId, appId: id }, orgId),
    existing: () => appId,
  });
}

// The enumerations of both generations have the same numbers, except for response types.
const toConfiguration = (app: AddOIDCAppRequest): MessageInitShape<typeof CreateOIDCApplicationRequestSchema> => ({
  redirectUris: app.redirectUris,
  responseTypes: app.responseTypes.map((type) => type + 1),
  grantTypes: app.grantTypes as number[],
  applicationType: app.appType as number,
  authMethodType: app.authMethodType as number,
  postLogoutRedirectUris: app.postLogoutRedirectUris,
  version: app.version as number,
  developmentMode: app.devMode,
  accessTokenType: app.accessTokenType as number,
  accessTokenRoleAssertion: app.accessTokenRoleAssertion,
  idTokenRoleAssertion: app.idTokenRoleAssertion,
  idTokenUserinfoAssertion: app.idTokenUserinfoAssertion,
  ...(app.clockSkew !== undefined && { clockSkew: app.clockSkew }),
  additionalOrigins: app.additionalOrigins,
  skipNativeAppSuccessPage: app.skipNativeAppSuccessPage,
  backChannelLogoutUri: app.backChannelLogoutUri,
  ...(app.loginVersion !== undefined && { loginVersion: toLoginVersion(app.loginVersion) }),
});

function toLoginVersion({ version }: LoginVersion): MessageInitShape<typeof LoginVersionSchema> {
  if (version.case === "loginV1") return { version: { case: "loginV1", value: {} } };
  if (version.case !== "loginV2") return {};
  const { baseUri } = version.value;
  return { version: { case: "loginV2", value: baseUri === undefined ? {} : { baseUri } } };
}
