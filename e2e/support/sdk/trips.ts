import assert from "node:assert/strict";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createClientFor } from "@zitadel/client";
import { createAdminServiceClient, createAuthServiceClient, createManagementServiceClient } from "@zitadel/client/v1";
import {
  createFeatureServiceClient,
  createIdpServiceClient,
  createOrganizationServiceClient,
  createSessionServiceClient,
  createSettingsServiceClient,
  createUserServiceClient,
  makeReqCtx,
} from "@zitadel/client/v2";
import { APIAuthMethodType } from "@zitadel/proto/zitadel/app_pb.js";
import { KeyType } from "@zitadel/proto/zitadel/auth_n_key_pb.js";
import { SecondFactorType } from "@zitadel/proto/zitadel/policy_pb.js";
import { WebKeyService } from "@zitadel/proto/zitadel/webkey/v2/webkey_service_pb.js";
import { goodPassword } from "../../../server/test/support/people/people.ts";

/** The clients of `@zitadel/client` over a transport. */
export const createSdk = (transport: Transport) => ({
  admin: createAdminServiceClient(transport),
  auth: createAuthServiceClient(transport),
  management: createManagementServiceClient(transport),
  features: createFeatureServiceClient(transport),
  providers: createIdpServiceClient(transport),
  organizations: createOrganizationServiceClient(transport),
  sessions: createSessionServiceClient(transport),
  settings: createSettingsServiceClient(transport),
  users: createUserServiceClient(transport),
  webKeys: createClientFor(WebKeyService)(transport),
});

interface At extends ReturnType<typeof createSdk> {
  /** What to call things, so that trips do not meet. */
  readonly name: string;
  /** The organization of the caller. */
  readonly organizationId: string;
}

/** Creates, reads, changes and deletes something. */
type Trip = (at: At) => Promise<void>;

async function gone(asked: Promise<unknown>): Promise<void> {
  await assert.rejects(asked, (error) => ConnectError.from(error).code === Code.NotFound);
}

async function addPerson({ users, organizationId }: At, username: string): Promise<string> {
  const { userId } = await users.addHumanUser({
    username,
    organization: { org: { case: "orgId", value: organizationId } },
    profile: { givenName: "Ada", familyName: "Lovelace" },
    email: { email: `${username}@mail.example`, verification: { case: "isVerified", value: true } },
    passwordType: { case: "password", value: { password: goodPassword, changeRequired: false } },
  });
  return userId;
}

const organization: Trip = async ({ admin, management, organizations, name }) => {
  const { organizationId } = await organizations.addOrganization({ name });
  const find = async (): Promise<string[]> => {
    const queries = [{ query: { case: "idQuery", value: { id: organizationId } } } as const];
    return (await organizations.listOrganizations({ queries })).result.map((found) => found.name);
  };
  assert.deepEqual(await find(), [name]);
  const headers = { "x-zitadel-orgid": organizationId };
  await management.updateOrg({ name: `${name} 2` }, { headers });
  assert.deepEqual(await find(), [`${name} 2`]);
  await admin.removeOrg({ orgId: organizationId });
  assert.deepEqual(await find(), []);
};

const person: Trip = async (at) => {
  const { users, name } = at;
  const userId = await addPerson(at, name);
  const read = async (): Promise<string | undefined> => {
    const { user } = await users.getUserByID({ userId });
    assert.ok(user?.type.case === "human");
    return user.type.value.profile?.givenName;
  };
  assert.equal(await read(), "Ada");
  await users.updateHumanUser({ userId, profile: { givenName: "Augusta", familyName: "King" } });
  assert.equal(await read(), "Augusta");
  await users.deleteUser({ userId });
  await gone(read());
};

const metadata: Trip = async (at) => {
  const { management, users, name } = at;
  const id = await addPerson(at, `${name}-metadata`);
  const entry = { id, key: "plan" };
  for (const plan of ["free", "paid"]) {
    await management.setUserMetadata({ ...entry, value: Buffer.from(plan) });
    const read = await management.getUserMetadata(entry);
    assert.equal(Buffer.from(read.metadata?.value ?? []).toString(), plan);
  }
  await management.removeUserMetadata(entry);
  await gone(management.getUserMetadata(entry));
  await users.deleteUser({ userId: id });
};

const machine: Trip = async ({ management, name }) => {
  const { userId } = await management.addMachineUser({ userName: name, name: "Robot" });
  const read = async () => {
    const { user } = await management.getUserByID({ id: userId });
    return user?.type.case === "machine" ? user.type.value.name : undefined;
  };
  assert.equal(await read(), "Robot");
  await management.updateMachine({ userId, name: "Robot 2" });
  assert.equal(await read(), "Robot 2");
  const { tokenId, token } = await management.addPersonalAccessToken({ userId });
  assert.ok(token.length > 20);
  const tokens = async () => (await management.listPersonalAccessTokens({ userId })).result.map(({ id }) => id);
  assert.deepEqual(await tokens(), [tokenId]);
  await management.removePersonalAccessToken({ userId, tokenId });
  assert.deepEqual(await tokens(), []);
  await management.removeUser({ id: userId });
  await gone(read());
};

const project: Trip = async ({ management, name }) => {
  const { id } = await management.addProject({ name });
  const read = async () => (await management.getProjectByID({ id })).project?.name;
  assert.equal(await read(), name);
  await management.updateProject({ id, name: `${name} 2` });
  assert.equal(await read(), `${name} 2`);
  await management.removeProject({ id });
  await gone(read());
};

const roles: Trip = async (at) => {
  const { management, name } = at;
  const { id: projectId } = await management.addProject({ name: `${name} roles` });
  const roleKey = "seller";
  await management.addProjectRole({ projectId, roleKey, displayName: "Seller" });
  const read = async () => (await management.listProjectRoles({ projectId })).result.map((role) => role.displayName);
  assert.deepEqual(await read(), ["Seller"]);
  await management.updateProjectRole({ projectId, roleKey, displayName: "Sells" });
  assert.deepEqual(await read(), ["Sells"]);

  await management.addProjectRole({ projectId, roleKey: "buyer", displayName: "Buyer" });
  const userId = await addPerson(at, `${name}-roles`);
  const { userGrantId: grantId } = await management.addUserGrant({ userId, projectId, roleKeys: [roleKey] });
  const granted = async () => (await management.getUserGrantByID({ userId, grantId })).userGrant?.roleKeys;
  assert.deepEqual(await granted(), [roleKey]);
  await management.updateUserGrant({ userId, grantId, roleKeys: ["buyer"] });
  assert.deepEqual(await granted(), ["buyer"]);
  await management.removeUserGrant({ userId, grantId });
  await gone(granted());

  await management.removeProjectRole({ projectId, roleKey });
  assert.deepEqual(await read(), ["Buyer"]);
  await management.removeProject({ id: projectId });
};

const application: Trip = async ({ management, name }) => {
  const { id: projectId } = await management.addProject({ name: `${name} application` });
  const [before, after] = [["https://app.example/a"], ["https://app.example/b"]];
  const { appId, clientId } = await management.addOIDCApp({ projectId, name: "Shop", redirectUris: before });
  const read = async () => {
    const { app } = await management.getAppByID({ projectId, appId });
    return app?.config.case === "oidcConfig" ? app.config.value : undefined;
  };
  assert.deepEqual([(await read())?.clientId, (await read())?.redirectUris], [clientId, before]);
  await management.updateOIDCAppConfig({ projectId, appId, redirectUris: after });
  assert.deepEqual((await read())?.redirectUris, after);
  await management.removeApp({ projectId, appId });
  await gone(read());
  await management.removeProject({ id: projectId });
};

const applicationKey: Trip = async ({ management, name }) => {
  const { id: projectId } = await management.addProject({ name: `${name} key` });
  const { appId } = await management.addAPIApp({
    projectId,
    name: "API",
    authMethodType: APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,
  });
  const { id: keyId, keyDetails } = await management.addAppKey({ projectId, appId, type: KeyType.JSON });
  assert.equal(JSON.parse(Buffer.from(keyDetails).toString()).keyId, keyId);
  const keys = async () => (await management.listAppKeys({ projectId, appId })).result.map(({ id }) => id);
  assert.deepEqual(await keys(), [keyId]);
  await management.removeAppKey({ projectId, appId, keyId });
  assert.deepEqual(await keys(), []);
  await management.removeProject({ id: projectId });
};

const administrator: Trip = async (at) => {
  const { management, name } = at;
  const userId = await addPerson(at, `${name}-administrator`);
  const read = async () => {
    const { result } = await management.listOrgMembers({});
    return result.find((member) => member.userId === userId)?.roles;
  };
  await management.addOrgMember({ userId, roles: ["ORG_OWNER"] });
  assert.deepEqual(await read(), ["ORG_OWNER"]);
  await management.updateOrgMember({ userId, roles: ["ORG_USER_MANAGER"] });
  assert.deepEqual(await read(), ["ORG_USER_MANAGER"]);
  await management.removeOrgMember({ userId });
  assert.equal(await read(), undefined);
};

const session: Trip = async (at) => {
  const { sessions, name } = at;
  const userId = await addPerson(at, `${name}-session`);
  const checks = {
    user: { search: { case: "userId", value: userId } as const },
    password: { password: goodPassword },
  };
  const { sessionId, sessionToken } = await sessions.createSession({ checks });
  const read = async () => (await sessions.getSession({ sessionId })).session;
  assert.equal((await read())?.factors?.user?.id, userId);
  await sessions.setSession({ sessionId, sessionToken, metadata: { tour: Buffer.from("seen") } });
  assert.equal(Buffer.from((await read())?.metadata["tour"] ?? []).toString(), "seen");
  await sessions.deleteSession({ sessionId });
  await gone(read());
};

const provider: Trip = async ({ management, providers, name }) => {
  const wanted = { name, clientId: "client", clientSecret: "secret" };
  const { id } = await management.addGitHubProvider(wanted);
  const read = async () => (await management.getProviderByID({ id })).idp?.name;
  assert.equal(await read(), name);
  await management.updateGitHubProvider({ ...wanted, id, name: `${name} 2` });
  assert.equal(await read(), `${name} 2`);
  assert.equal((await providers.getIDPByID({ id })).idp?.name, `${name} 2`);
  await management.deleteProvider({ id });
  await gone(read());
};

const loginPolicy: Trip = async ({ management, settings, organizationId }) => {
  const read = async () => (await settings.getLoginSettings({ ctx: makeReqCtx(organizationId) })).settings?.forceMfa;
  assert.equal(await read(), false);
  const wanted = { allowUsernamePassword: true, forceMfa: true };
  await management.addCustomLoginPolicy({ ...wanted, secondFactors: [SecondFactorType.OTP] });
  assert.equal(await read(), true);
  await management.updateCustomLoginPolicy({ ...wanted, forceMfa: false, hidePasswordReset: true });
  assert.equal((await management.getLoginPolicy({})).policy?.hidePasswordReset, true);
  await management.resetLoginPolicyToDefault({});
  assert.equal((await management.getLoginPolicy({})).isDefault, true);
};

const messageText: Trip = async ({ management }) => {
  const read = async () => (await management.getCustomInitMessageText({ language: "en" })).customText?.subject;
  for (const subject of ["Welcome", "Hello"]) {
    await management.setCustomInitMessageText({ language: "en", subject });
    assert.equal(await read(), subject);
  }
  await management.resetCustomInitMessageTextToDefault({ language: "en" });
  assert.equal(await read(), "");
};

const action: Trip = async ({ management }) => {
  const script = "function nothing(ctx, api) {}";
  const { id } = await management.createAction({ name: "nothing", script });
  const read = async () => (await management.getAction({ id })).action?.allowedToFail;
  assert.equal(await read(), false);
  await management.updateAction({ id, name: "nothing", script, allowedToFail: true });
  assert.equal(await read(), true);
  await management.deleteAction({ id });
  await gone(read());
};

const emailProvider: Trip = async ({ admin }) => {
  const { id } = await admin.addEmailProviderHTTP({ endpoint: "https://mail.example/a" });
  const read = async () => {
    const { config } = (await admin.getEmailProviderById({ id })).config ?? {};
    return config?.case === "http" ? config.value.endpoint : undefined;
  };
  assert.equal(await read(), "https://mail.example/a");
  await admin.updateEmailProviderHTTP({ id, endpoint: "https://mail.example/b" });
  assert.equal(await read(), "https://mail.example/b");
  await admin.removeEmailProvider({ id });
  await gone(read());
};

const feature: Trip = async ({ features }) => {
  const read = async () => (await features.getInstanceFeatures({})).debugOidcParentError?.enabled;
  for (const debugOidcParentError of [true, false]) {
    await features.setInstanceFeatures({ debugOidcParentError });
    assert.equal(await read(), debugOidcParentError);
  }
  await features.resetInstanceFeatures({});
};

const webKey: Trip = async ({ webKeys }) => {
  const { id } = await webKeys.createWebKey({ key: { case: "ed25519", value: {} } });
  const ids = async () => (await webKeys.listWebKeys({})).webKeys.map((key) => key.id);
  assert.ok((await ids()).includes(id));
  await webKeys.deleteWebKey({ id });
  assert.ok(!(await ids()).includes(id));
};

export const trips: Readonly<Record<string, Trip>> = {
  organization,
  person,
  metadata,
  machine,
  project,
  roles,
  application,
  "application key": applicationKey,
  administrator,
  session,
  provider,
  "login policy": loginPolicy,
  "message text": messageText,
  action,
  "email provider": emailProvider,
  feature,
  "web key": webKey,
};
