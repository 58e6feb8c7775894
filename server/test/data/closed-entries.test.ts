import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeClosed } from "../../src/api/v1/admin/data/close-entry.ts";
import { EntryRefused } from "../../src/api/v1/admin/data/entry-refused.ts";
import { slugOf } from "../factor/support.ts";
import { isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider, type TestProvider } from "../support/identity-provider/test-provider.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { comparable } from "./support/everything.ts";

const admin = "service.admin.v1.AdminService";
const orgs = "service.org.v2.OrganizationService";
const tenantId = "910000000000000001";
const otherId = "910000000000000002";
const headers = { "x-service-orgid": tenantId };
const password = "correct horse battery staple 1";

const person = (userName: string) => ({
  userName,
  profile: { firstName: "P", lastName: "P" },
  email: { email: `${userName}@mail.example`, isEmailVerified: true },
  password,
});

const tokenProvider = {
  idpId: "j",
  idp: {
    name: "Tokens",
    jwtEndpoint: "https://jwt.example/in",
    issuer: "https://jwt.example",
    keysEndpoint: "https://jwt.example/keys",
    headerName: "x-auth-token",
    audience: "https://tenant.example",
    providerOptions: { isLinkingAllowed: false, isCreationAllowed: true },
  },
};

const data = () => [
  {
    orgId: tenantId,
    org: { name: "Tenant" },
    jwtIdps: [tokenProvider],
    loginPolicy: { allowUsernamePassword: true, allowExternalIdp: true, passwordCheckLifetime: "864000s" },
    humanUsers: [{ userId: "9101", user: person("vera") }],
    userLinks: [{ userId: "9101", idpId: "j", providedUserId: "at-tokens", providedUserName: "vera" }],
    projects: [
      { projectId: "9105", project: { name: "Shop" } },
      { projectId: "9107", project: { name: "Closed shop" } },
    ],
    projectRoles: ["9105", "9107"].map((projectId) => ({ projectId, roleKey: "buyer", displayName: "Buyer" })),
    oidcApps: ["9106", "9108"].map((appId) => ({
      appId,
      app: {
        projectId: "9105",
        name: `Web ${appId}`,
        redirectUris: ["https://shop.example/callback"],
        responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
        grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
        authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
      },
    })),
    apiApps: [{ appId: "9109", app: { projectId: "9107", name: "API" } }],
    actions: ["note", "other"].map((name) => ({
      actionId: name,
      action: { name, script: `function ${name}(ctx, api) {}`, timeout: "5s" },
    })),
    triggerActions: [{ flowType: "1", triggerType: "1", actionIds: ["note", "other"] }],
    projectGrants: ["9105", "9107"].map((projectId) => ({
      grantId: projectId,
      projectGrant: { projectId, grantedOrgId: otherId, roleKeys: ["buyer"] },
    })),
    userGrants: ["9105", "9107"].map((projectId) => ({ userId: "9101", projectId, roleKeys: ["buyer"] })),
    orgMembers: [{ userId: "9201", roles: ["ORG_OWNER"] }],
  },
  {
    orgId: otherId,
    org: { name: "Other" },
    humanUsers: [{ userId: "9201", user: person("elsewhere") }],
    userGrants: [{ userId: "9201", projectId: "9105", projectGrantId: "9105", roleKeys: ["buyer"] }],
  },
];

async function ok(server: TestServer, path: string, body: object = {}) {
  const answer = await server.rest("POST", path, { headers, body });
  assert.equal(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Imports, and returns what was refused, except for domains that the names of organizations make. */
async function importing(server: TestServer, given: unknown): Promise<string[]> {
  const { status, body } = await server.connect(`${admin}/ImportData`, { dataOrgs: { orgs: given } });
  assert.equal(status, 200, JSON.stringify(body));
  const errors = (body.errors ?? []).filter(({ type }: { type: string }) => type !== "domain");
  return errors.map(
    ({ type, id, message }: Record<string, string>) => `${type} ${id} ${/\((.*)\)$/.exec(message ?? "")?.[1]}`,
  );
}

// biome-ignore lint/suspicious/noExplicitAny: responses are JSON.
async function exporting(server: TestServer): Promise<any[]> {
  const answer = await server.connect(`${admin}/ExportData`, { orgIds: [tenantId, otherId], responseOutput: true });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return JSON.parse(JSON.stringify(answer.body.orgs));
}

/** Returns the id of the organization's provider with a name. */
async function idOf(server: TestServer, name: string): Promise<string> {
  const { result = [] } = await ok(server, "/management/v1/idps/templates/_search");
  return result.find((provider: { name: string }) => provider.name === name)?.id ?? "";
}

interface Person {
  readonly sub: string;
  readonly email: string;
}

/** Signs in with a provider, registers where that is offered, and returns what became of it. */
async function signIn(server: TestServer, provider: TestProvider, name: string, user: Person): Promise<string> {
  const client = await addClient(server, {}, `Portal ${name} ${user.sub} ${server.clock.now++}`, tenantId);
  const scope = `openid urn:service:iam:org:id:${tenantId}`;
  const browser = new TestBrowser(server);
  const { page } = await visit(server, client, { prompt: "login", scope }, browser);
  const id = await idOf(server, name);
  if (!page.html.includes(id)) return "not offered";
  provider.user = { given_name: "Nina", family_name: "New", email_verified: true, ...user } as never;
  const away = await browser.submit(page, { provider: id }, { action: "/ui/login/provider" });
  const back = provider.signIn(away.address);
  const next = await browser.open(back.pathname + back.search);
  if (isBack(next)) return "signed in";
  const mayRegister = next.forms.some(({ action }) => new URL(action, server.origin).pathname === "/ui/login/external");
  if (!mayRegister) return "no registration";
  return isBack(await browser.submit(next, {}, { action: "/ui/login/external" })) ? "registered" : "not registered";
}

const isExisting = (error: string) => /taken|exists/.test(error);
const vera = { sub: "ext-vera", email: "vera@mail.example" };
const stranger = (sub: string) => ({ sub, email: `${sub}@stranger.example` });

eachServer((start) => {
  test("what is inactive, and options of providers, are the same after a move", async (t) => {
    const first = await start(t);
    const second = await start(t);
    const provider = await startTestProvider(t, () => first.clock.now);
    assert.deepEqual(await importing(first, data()), []);
    const options = { isLinkingAllowed: true, isCreationAllowed: true };
    const add = async (name: string, providerOptions: object) => {
      const { issuer, clientSecret } = provider;
      const wanted = { name, issuer, clientId: "doorward", clientSecret, scopes: ["openid", "email", "profile"] };
      const body = { ...wanted, providerOptions, usePkce: true };
      const { id } = await ok(first, "/management/v1/idps/generic_oidc", body);
      await ok(first, "/management/v1/policies/login/idps", { idpId: id, ownerType: "IDP_OWNER_TYPE_ORG" });
      return id as string;
    };
    const closed = await add("Closed", options);
    await add("Free", options);
    await add("Members", { ...options, isLinkingAllowed: false, isCreationAllowed: false, isAutoUpdate: true });
    const link = { userId: "9101", idpLink: { idpId: closed, userId: vera.sub, userName: "vera" } };
    assert.equal(slugOf(await first.connect("service.user.v2.UserService/AddIDPLink", link)), "done");
    assert.equal(await signIn(first, provider, "Closed", vera), "signed in");

    const noted = await ok(first, "/management/v1/actions/_search");
    const note = noted.result.find(({ name }: { name: string }) => name === "note").id;
    const { result: grants } = await ok(first, "/management/v1/projects/9105/grants/_search");
    await ok(first, `/management/v1/idps/${closed}/_deactivate`);
    await ok(first, `/management/v1/idps/${await idOf(first, "Tokens")}/_deactivate`);
    await ok(first, "/management/v1/projects/9105/apps/9106/_deactivate");
    await ok(first, "/management/v1/projects/9107/apps/9109/_deactivate");
    await ok(first, `/management/v1/actions/${note}/_deactivate`);
    await ok(first, `/management/v1/projects/9105/grants/${grants[0].grantId}/_deactivate`);
    await ok(first, "/management/v1/projects/9107/_deactivate");

    const exported = await exporting(first);
    assert.equal(JSON.stringify(exported).split("_INACTIVE").length - 1, 7);
    const moved = structuredClone(exported);
    for (const { idp } of moved[0].oidcIdps) idp.clientSecret = provider.clientSecret;
    assert.deepEqual(await importing(second, moved), []);
    assert.deepEqual(comparable(await exporting(second)), comparable(exported));

    assert.equal(await signIn(second, provider, "Closed", vera), "not offered");
    assert.equal(await signIn(second, provider, "Members", stranger("one")), "no registration");
    assert.equal(await signIn(second, provider, "Free", stranger("two")), "registered");
    await ok(second, `/management/v1/idps/${await idOf(second, "Closed")}/_reactivate`);
    assert.equal(await signIn(second, provider, "Closed", vera), "signed in");
  });

  test("a repeated import deactivates, and activates nothing", async (t) => {
    const server = await start(t);
    assert.deepEqual(await importing(server, data()), []);
    const [open, other] = await exporting(server);
    const inactive = JSON.stringify(open).replaceAll(
      /(IDP|APP|ACTION|PROJECT|PROJECT_GRANT)_STATE_ACTIVE/g,
      "$1_STATE_INACTIVE",
    );
    assert.ok((await importing(server, [JSON.parse(inactive), other])).every(isExisting));
    const [closed] = await exporting(server);
    assert.deepEqual(closed, JSON.parse(inactive));
    assert.ok((await importing(server, [open, other])).every(isExisting));
    assert.deepEqual((await exporting(server))[0], closed);
  });

  test("data of the original, without the fields, is active and allows linking and registration", async (t) => {
    const server = await start(t);
    const given = data();
    const { providerOptions: _options, audience: _audience, ...idp } = tokenProvider.idp;
    assert.deepEqual(await importing(server, [{ ...given[0], jwtIdps: [{ idpId: "j", idp }] }, given[1]]), []);
    const [tenant] = await exporting(server);
    assert.ok(!JSON.stringify(tenant).includes("_INACTIVE"));
    const { isLinkingAllowed, isCreationAllowed, ...others } = tenant.jwtIdps[0].idp.providerOptions;
    assert.deepEqual({ isLinkingAllowed, isCreationAllowed }, { isLinkingAllowed: true, isCreationAllowed: true });
    assert.ok(Object.values(others).every((value) => value === false || value === "AUTO_LINKING_OPTION_UNSPECIFIED"));
  });

  test("accounts are imported at closed providers of the organization, and not at those of the instance", async (t) => {
    const server = await start(t);
    assert.deepEqual(await importing(server, data()), []);
    const addLink = "service.user.v2.UserService/AddIDPLink";
    const tokens = await idOf(server, "Tokens");
    const linked = { idpId: tokens, userId: "another", userName: "vera" };
    assert.equal(
      slugOf(await server.connect(addLink, { userId: "9101", idpLink: linked })),
      "identity_link.linking_not_allowed",
      "outside of an import",
    );
    const { providerOptions: _options, ...idp } = tokenProvider.idp;
    const added = await server.rest("POST", "/admin/v1/idps/jwt", { body: { ...idp, name: "Of the instance" } });
    assert.equal(added.status, 200, JSON.stringify(added.body));
    const { idpId } = added.body;
    const link = (providedUserId: string) => [
      { orgId: tenantId, userLinks: [{ userId: "9101", idpId, providedUserId, providedUserName: "vera" }] },
    ];
    assert.deepEqual(await importing(server, link("one")), []);
    await server.rest("POST", `/admin/v1/idps/${idpId}/_deactivate`, { body: {} });
    assert.deepEqual(await importing(server, link("two")), ["user_link 9101_two identity_link.provider_inactive"]);
  });

  test("an organization that the instance deactivated stays closed to its owner", async (t) => {
    const first = await start(t);
    assert.deepEqual(await importing(first, data()), []);
    await acceptPosition(first);
    const ofOwner = { token: await tokenOf(first) };
    const deactivate = `${orgs}/DeactivateOrganization`;
    for (const { by, activated } of [
      { by: ofOwner, activated: "done" },
      { by: {}, activated: "organization.deactivated_by_instance" },
    ]) {
      assert.equal(slugOf(await first.connect(deactivate, { organizationId: tenantId }, by)), "done");
      const moved = await exporting(first);
      moved[1].humanUsers[0].user.password = password;
      const second = await start(t);
      assert.deepEqual(await importing(second, moved), []);
      const [tenant] = await exporting(second);
      assert.equal(tenant.orgState, "ORG_STATE_INACTIVE");
      assert.equal(tenant.orgDeactivatedByInstance ?? false, by !== ofOwner);
      await acceptPosition(second);
      assert.equal(await activate(second, { token: await tokenOf(second) }), activated);
      assert.equal(await activate(second, {}), "done");
    }
  });
});

describe("what cannot be deactivated", () => {
  const refused = (id: string, isExisting = false) => Promise.reject(new EntryRefused({ id, message: id, isExisting }));
  const existing = () => "there";

  test("is removed, and refused", async () => {
    const removed: string[] = [];
    const remove = async (id: string) => removed.push(id);
    const make = async () => "made";
    const close = () => refused("settings.login.no_first_factor");
    await assert.rejects(makeClosed({ make, close, remove, existing }), { message: "settings.login.no_first_factor" });
    assert.deepEqual(removed, ["made"]);
    assert.equal(await makeClosed({ make, close: async () => {}, remove, existing }), "made");
    assert.deepEqual(removed, ["made"]);
  });

  test("stays if it existed, and the reason is told", async () => {
    const removed: string[] = [];
    const remove = async (id: string) => removed.push(id);
    const make = () => refused("project.id_taken", true);
    for (const [reason, told] of [
      ["project.is_system", "project.is_system"],
      ["project.not_found", "project.id_taken"],
    ] as const) {
      await assert.rejects(makeClosed({ make, close: () => refused(reason), remove, existing }), { message: told });
    }
    await assert.rejects(makeClosed({ make, close: async () => {}, remove, existing }), {
      message: "project.id_taken",
    });
    assert.deepEqual(removed, []);
  });
});

async function tokenOf(server: TestServer): Promise<string> {
  const checks = { user: { loginName: "elsewhere" }, password: { password } };
  const { status, body } = await server.rest("POST", "/v2/sessions", { body: { checks } });
  assert.equal(status, 201, JSON.stringify(body));
  return body.sessionToken;
}

async function acceptPosition(server: TestServer): Promise<void> {
  const position = { userId: "9201", resource: { organizationId: tenantId }, roles: ["ORG_OWNER"] };
  const method = "service.internal_permission.v2.InternalPermissionService/AcceptAppointment";
  assert.equal(slugOf(await server.connect(method, position, { token: await tokenOf(server) })), "done");
}

const activate = async (server: TestServer, by: object) =>
  slugOf(await server.connect(`${orgs}/ActivateOrganization`, { organizationId: tenantId }, by));
