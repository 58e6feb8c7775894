import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { testCertificate } from "../../support/http/test-certificate.ts";
import { metadataXml } from "../../support/identity-provider/saml-metadata.ts";
import type { RestAnswer, RestOptions } from "../../support/servers/server.ts";
import type { Objects } from "./tenant.ts";

/** Calls a method as an owner and returns the answer. */
// biome-ignore lint/suspicious/noExplicitAny: answers are only read for their ids.
export type Ask = (method: string, body: object, organization?: string) => Promise<any>;

/** Makes `Ask` from a client that calls by Connect. */
export const askBy =
  (call: (path: string, options: RestOptions) => Promise<RestAnswer>): Ask =>
  async (method, body, organization) => {
    const headers = organization === undefined ? {} : { "x-service-orgid": organization };
    const answer = await call(`/service.${method}`, { body, headers });
    assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

const expirationDate = "2100-01-01T00:00:00Z";

/** Makes one of everything in an organization; the canary is in every name. */
export async function fillOrganization(ask: Ask, organization: string, canary: string): Promise<Objects> {
  const grantedOrganization = (
    await ask("org.v2.OrganizationService/AddOrganization", { name: `Partner ${organization}` })
  ).organizationId;
  const users = await fillUsers(ask, organization, canary);
  const project = await fillProject(ask, organization, grantedOrganization, canary);
  const metadata = [{ key: "note", value: "AAEC" }];
  await ask("org.v2.OrganizationService/SetOrganizationMetadata", { organizationId: organization, metadata });
  // Without the canary: login names of the organization's users end with it.
  const domain = `${[...canary].reverse().join("")}.example`;
  // The domain counts because the instance's owner asserts it, who fills the tenant.
  const policy = { userLoginMustBeDomain: true, validateOrgDomains: false };
  await ask("admin.v1.AdminService/UpdateDomainPolicy", policy);
  await ask("org.v2.OrganizationService/AddOrganizationDomain", { organizationId: organization, domain });
  const { id: group } = await ask("group.v2.GroupService/CreateGroup", { organizationId: organization, name: canary });
  await ask("group.v2.GroupService/AddUsersToGroup", { id: group, userIds: [users["user"]] });
  const { id: authorization } = await ask("authorization.v2.AuthorizationService/CreateAuthorization", {
    userId: users["user"],
    projectId: project["project"],
    organizationId: organization,
    roleKeys: ["reader"],
  });
  const userId = users["member"];
  const resources = [
    [{ organizationId: organization }, "ORG_OWNER_VIEWER"],
    [{ projectId: project["project"] }, "PROJECT_OWNER_VIEWER"],
    [{ projectGrant: { projectId: project["project"], organizationId: grantedOrganization } }, "PROJECT_GRANT_OWNER"],
  ] as const;
  for (const [resource, role] of resources) {
    await ask("internal_permission.v2.InternalPermissionService/CreateAdministrator", {
      userId,
      resource,
      roles: [role],
    });
  }
  const secondPartner = (
    await ask("org.v2.OrganizationService/AddOrganization", { name: `Second partner ${organization}` })
  ).organizationId;
  const providers = "management.v1.ManagementService";
  const { GenericOIDC: idp = "", ...idps } = await fillProviders(ask, providers, canary, organization);
  const { idpId: legacyIdp } = await ask(`${providers}/AddOrgOIDCIDP`, legacyProviderOf(canary), organization);
  const { id: action } = await ask(`${providers}/CreateAction`, { name: canary, script: canary }, organization);
  const trigger = { flowType: "2", triggerType: "5", actionIds: [action] };
  await ask(`${providers}/SetTriggerActions`, trigger, organization);
  const idpLink = { idpId: idp, userId: "external", userName: "external" };
  await ask("user.v2.UserService/AddIDPLink", { userId: users["user"], idpLink });
  return {
    organization,
    action,
    idp,
    ...idps,
    legacyIdp,
    grantedOrganization,
    secondPartner,
    domain,
    group,
    authorization,
    ...users,
    ...project,
  };
}

const providerKinds = [
  "GenericOIDC",
  "GenericOAuth",
  "JWT",
  "AzureAD",
  "GitHub",
  "GitHubEnterpriseServer",
  "GitLab",
  "GitLabSelfHosted",
  "Google",
  "LDAP",
  "Apple",
  "SAML",
];

/** Makes an identity provider of each kind; returns the ids by kind. */
async function fillProviders(ask: Ask, service: string, canary: string, organization?: string): Promise<Objects> {
  const ids: Record<string, string> = {};
  for (const kind of providerKinds) {
    ids[kind] = (await ask(`${service}/Add${kind}Provider`, providerOf(`${canary} ${kind}`), organization)).id;
  }
  return ids;
}

// The providers of the instance have other names than those of organizations.
const prefixed = (ids: Objects): Objects =>
  Object.fromEntries(Object.entries(ids).map(([kind, id]) => [`instance${kind}`, id]));

// Each kind takes only the options that it knows.
const providerOf = (name: string) => ({
  name,
  issuer: "https://issuer.example",
  clientId: "client",
  clientSecret: "secret",
  scopes: ["openid"],
  authorizationEndpoint: "https://issuer.example/authorize",
  tokenEndpoint: "https://issuer.example/token",
  userEndpoint: "https://issuer.example/user",
  jwtEndpoint: "https://issuer.example/jwt",
  keysEndpoint: "https://issuer.example/keys",
  idAttribute: "id",
  headerName: "x-token",
  teamId: "TEAM123456",
  keyId: "KEY1234567",
  privateKey: btoa(testCertificate.key),
  servers: ["ldaps://ldap.example"],
  baseDn: "dc=example",
  bindDn: "cn=service,dc=example",
  bindPassword: "secret",
  userBase: "dn",
  userObjectClasses: ["person"],
  userFilters: ["uid"],
  attributes: { idAttribute: "uid" },
  metadataXml: metadataXml(),
  providerOptions: { isLinkingAllowed: true },
});

const legacyProviderOf = (canary: string) => {
  const { providerOptions: _, ...provider } = providerOf(`${canary} legacy`);
  return provider;
};

async function fillUsers(ask: Ask, organizationId: string, canary: string): Promise<Objects> {
  const human = (username: string) => ({
    organizationId,
    username: `${canary}-${username}`,
    human: {
      profile: { givenName: canary, familyName: username },
      email: { email: `${canary}-${username}@mail.example`, isVerified: true },
      phone: { phone: "+41791234568", isVerified: true },
    },
  });
  const users = "user.v2.UserService";
  const { id: user } = await ask(`${users}/CreateUser`, human("person"));
  const { id: member } = await ask(`${users}/CreateUser`, human("member"));
  const { id: outsider } = await ask(`${users}/CreateUser`, human("outsider"));
  const { id: machine } = await ask(`${users}/CreateUser`, {
    organizationId,
    username: `${canary}-machine`,
    machine: { name: canary },
  });
  const { keyId: machineKey } = await ask(`${users}/AddKey`, { userId: machine, expirationDate });
  const { tokenId: pat } = await ask(`${users}/AddPersonalAccessToken`, { userId: machine, expirationDate });
  await ask(`${users}/AddSecret`, { userId: machine });
  await ask(`${users}/SetUserMetadata`, { userId: user, metadata: [{ key: "note", value: "AAEC" }] });
  await ask(`${users}/AddOTPEmail`, { userId: user });
  const { sessionId: session } = await ask("session.v2.SessionService/CreateSession", {
    checks: { user: { userId: user } },
  });
  const signInAttempt = await failToSignIn(ask, user);
  const job = await createJob(ask, organizationId, outsider);
  const parts = ["SETUP_PART_DOMAIN"];
  const { link } = await ask("setup_link.v2.SetupLinkService/CreateSetupLink", { organizationId, parts });
  return { user, member, outsider, machine, machineKey, pat, session, signInAttempt, job, setupLink: link.id };
}

/** Creates a job, which ends before it does anything, and returns its id. */
async function createJob(ask: Ask, organizationId: string, userId: string): Promise<string> {
  const jobs = "job.v2.JobService";
  const users = { userIds: { userIds: [userId] } };
  const { job } = await ask(`${jobs}/CreateJob`, { organizationId, ...users, lock: {}, dryRun: true });
  await ask(`${jobs}/CancelJob`, { id: job.id });
  return job.id;
}

/** Leaves an attempt to sign in, and returns its id. */
async function failToSignIn(ask: Ask, userId: string): Promise<string> {
  const checks = { user: { userId }, password: { password: "wrong" } };
  await assert.rejects(ask("session.v2.SessionService/CreateSession", { checks }));
  const filters = [{ userIdFilter: { id: userId } }];
  const { attempts } = await ask("sign_in_attempt.v2.SignInAttemptService/ListSignInAttempts", { filters });
  return attempts[0].id;
}

async function fillProject(ask: Ask, organizationId: string, granted: string, canary: string): Promise<Objects> {
  const projects = "project.v2.ProjectService";
  const { projectId: project } = await ask(`${projects}/CreateProject`, { organizationId, name: `${canary} project` });
  const role = { projectId: project, roleKey: "reader", displayName: canary };
  await ask(`${projects}/AddProjectRole`, role);
  const grant = { projectId: project, grantedOrganizationId: granted, roleKeys: ["reader"] };
  await ask(`${projects}/CreateProjectGrant`, grant);
  const applications = "application.v2.ApplicationService";
  const { applicationId: application, oidcConfiguration } = await ask(`${applications}/CreateApplication`, {
    projectId: project,
    name: `${canary} shop`,
    oidcConfiguration: {
      redirectUris: ["https://shop.example/callback"],
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_DEVICE_CODE"],
      applicationType: "OIDC_APP_TYPE_WEB",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
    },
  });
  const { applicationId: apiApplication } = await ask(`${applications}/CreateApplication`, {
    projectId: project,
    name: `${canary} api`,
    apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" },
  });
  const { keyId: applicationKey } = await ask(`${applications}/CreateApplicationKey`, {
    projectId: project,
    applicationId: apiApplication,
    expirationDate,
  });
  const { applicationId: samlApplication } = await ask(`${applications}/CreateApplication`, {
    projectId: project,
    name: `${canary} wiki`,
    samlConfiguration: { metadataXml: Buffer.from(samlMetadata(entityIdOf(project))).toString("base64") },
  });
  const { id: resource } = await ask("resource.v2.ResourceService/CreateResource", {
    projectId: project,
    name: `${canary} tools`,
    uri: `https://tools.${canary}.example/mcp`,
  });
  const { clientId } = oidcConfiguration;
  return { project, application, clientId, apiApplication, samlApplication, applicationKey, resource };
}

/** The entity id of the service provider in a project. */
const entityIdOf = (project: string): string => `https://wiki.example/${project}`;

const samlMetadata = (entityId: string): string =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://wiki.example/acs" index="0"/></md:SPSSODescriptor></md:EntityDescriptor>`;

const samlRequest = (entityId: string, now: number): string =>
  `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0" IssueInstant="${new Date(now).toISOString()}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${entityId}</saml:Issuer></samlp:AuthnRequest>`;

/** Begins a sign-in and a device authorization with an application of a tenant, and a sign-in with its SAML one. */
export async function beginSignIns(
  request: (method: string, path: string, options: RestOptions) => Promise<RestAnswer>,
  { clientId = "", project = "", now }: { readonly clientId?: string; readonly project?: string; readonly now: number },
): Promise<Objects> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: "https://shop.example/callback",
    response_type: "code",
    scope: "openid",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  const { headers } = await request("GET", `/oauth/v2/authorize?${query}`, { token: null });
  const requestIn = (location: string | null): string => /authRequest=(\w+)/.exec(location ?? "")?.[1] ?? "";
  const authRequest = requestIn(headers.get("location"));
  const message = deflateRawSync(samlRequest(entityIdOf(project), now)).toString("base64");
  const sent = await request("GET", `/saml/v2/SSO?${new URLSearchParams({ SAMLRequest: message })}`, { token: null });
  const form = { token: null, headers: { "content-type": "application/x-www-form-urlencoded" } };
  const path = "/oauth/v2/device_authorization";
  const { body } = await request("POST", path, { ...form, body: `client_id=${clientId}&scope=openid` });
  assert.ok(authRequest !== "" && typeof body.user_code === "string", JSON.stringify(body));
  return { authRequest, samlRequest: requestIn(sent.headers.get("location")), userCode: body.user_code };
}

/** Makes one of everything that exists once for each instance. */
export async function fillInstance(ask: Ask, canary: string): Promise<Objects> {
  const publicKey = Buffer.from(
    String(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" })),
  );
  const endpoint = "https://hooks.example/";
  const admin = "admin.v1.AdminService";
  const { id: target } = await ask("action.v2.ActionService/CreateTarget", {
    name: canary,
    restAsync: {},
    timeout: "10s",
    endpoint,
  });
  const key = { targetId: target, publicKey: publicKey.toString("base64") };
  const { keyId: targetKey } = await ask("action.v2.ActionService/AddPublicKey", key);
  const smtp = { senderAddress: "a@mail.example", senderName: canary, host: "mail.example:25", description: canary };
  const { id: emailProvider } = await ask(`${admin}/AddEmailProviderHTTP`, { endpoint, description: canary });
  const { id: smtpProvider } = await ask(`${admin}/AddEmailProviderSMTP`, { ...smtp, none: {} });
  const { id: smsProvider } = await ask(`${admin}/AddSMSProviderHTTP`, { endpoint, description: canary });
  const { id: twilioProvider } = await ask(`${admin}/AddSMSProviderTwilio`, {
    sid: "sid",
    token: "token",
    senderNumber: "+41791234567",
    description: canary,
  });
  const { id: webKey } = await ask("webkey.v2.WebKeyService/CreateWebKey", { ecdsa: { curve: "ECDSA_CURVE_P256" } });
  const home = await ask("org.v2.OrganizationService/AddOrganization", { name: "Administrators" });
  const { id: instanceMember } = await ask("user.v2.UserService/CreateUser", {
    organizationId: home.organizationId,
    username: `${canary}-administrator`,
    machine: { name: canary },
  });
  await ask("internal_permission.v2.InternalPermissionService/CreateAdministrator", {
    userId: instanceMember,
    resource: { instance: true },
    roles: ["IAM_OWNER_VIEWER"],
  });
  const { GenericOIDC: instanceIdp = "", ...idps } = await fillProviders(ask, admin, canary);
  const { idpId: instanceLegacyIdp } = await ask(`${admin}/AddOIDCIDP`, legacyProviderOf(canary));
  return {
    instanceIdp,
    ...prefixed(idps),
    instanceLegacyIdp,
    instanceMember,
    target,
    targetKey,
    publicKey: key.publicKey,
    emailProvider,
    smtpProvider,
    smsProvider,
    twilioProvider,
    webKey,
  };
}
