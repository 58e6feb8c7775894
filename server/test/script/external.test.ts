import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { knowProvider } from "../identity-provider/attempts.ts";
import { isBack, visit } from "../login/support/sign-in.ts";
import { findPeople } from "../login/support/sign-up.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { addPerson, appoint, defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer, type Start } from "../support/servers/each-server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import type { ShownPage } from "../support/sign-in/test-browser.ts";
import { external, scriptsOf } from "./support/scripts.ts";

const options = { isAutoCreation: true, isAutoUpdate: true };

/** A provider of the instance that creates users without a question, and what its account is. */
async function setUp(start: Start, t: TestContext, given: object = {}) {
  const server = await start(t);
  const provider = await startTestProvider(t, () => server.clock.now);
  const idp = await knowProvider(server, provider, { options: { ...options, ...given } });
  await changeSettings(server, "login", { identityProviderIds: [idp] });
  const client = await addClient(server);
  /** Signs in at the provider; returns the page after it, and its browser. */
  const go = async (account: object, by: SignInClient = client, scope = "") => {
    server.clock.now += 10_000;
    provider.user = { sub: "vera", preferred_username: "vera", ...account };
    const wanted = { scope: `openid urn:service:iam:org:idp:id:${idp}${scope}` };
    const { browser, page: away } = await visit(server, by, wanted);
    const back = provider.signIn(away.address);
    return { browser, page: await browser.open(back.pathname + back.search) };
  };
  const userOf = async (email: string) => {
    const [{ userId } = { userId: "" }] = await findPeople(server, email);
    return (await server.rest("GET", `/v2/users/${userId}`)).body.user;
  };
  const metadataOf = async (userId: string): Promise<Record<string, unknown>> => {
    const { body } = await server.connect("service.user.v2.UserService/ListUserMetadata", { userId });
    const pairs = (body.metadata ?? []) as { key: string; value: string }[];
    return Object.fromEntries(
      pairs.map(({ key, value }) => [key, JSON.parse(Buffer.from(value, "base64").toString())]),
    );
  };
  return { server, provider, idp, client, go, userOf, metadataOf, scripts: scriptsOf(server) };
}

const isOutcome = ({ address }: ShownPage): boolean => address.startsWith("/ui/login/external");

eachServer((start) => {
  test("scripts complete what a provider says, and the user is created without a question", async (t) => {
    const { server, idp, go, userOf, metadataOf, scripts } = await setUp(start, t);
    const organizationId = await defaultOrganization(server);
    const account = { name: "Vera Real", mail: "vera@mail.example" };
    assert.ok(isOutcome((await go(account)).page), "without a script a page asks");
    const made = await server.connect("service.project.v2.ProjectService/CreateProject", { organizationId, name: "R" });
    const { projectId } = made.body;
    const role = { projectId, roleKey: "reader", displayName: "Reader" };
    await server.connect("service.project.v2.ProjectService/AddProjectRole", role);
    await scripts.run(
      external.postAuthentication,
      "map",
      `function map(ctx, api) {
        const { externalUser, providerInfo, authError } = ctx.v1;
        if (externalUser.externalIdpId !== "${idp}" || externalUser.externalId !== "vera") throw new Error("who?");
        const [first, last] = ctx.getClaim("name").split(" ");
        api.setFirstName(first);
        api.setLastName(last);
        api.setEmail(providerInfo.mail);
        api.setEmailVerified(true);
        api.setNickName(ctx.claimsJSON().sub);
        api.v1.user.appendMetadata("said", [authError, ctx.getClaim("absent"), providerInfo.rawInfo.mail]);
      }`,
    );
    await scripts.run(
      external.preCreation,
      "adapt",
      `function adapt(ctx, api) { api.setDisplayName(ctx.v1.user.profile.lastName + ", " + ctx.v1.user.profile.firstName); }`,
    );
    const grant = `function grant(ctx, api) { api.userGrants.push({ projectID: "${projectId}", roles: ["reader"] }); }`;
    await scripts.run(external.postCreation, "grant", grant);
    assert.ok(isBack((await go(account)).page));
    const { userId, human } = await userOf("vera@mail.example");
    assert.deepEqual(
      [human.profile.givenName, human.profile.familyName, human.profile.displayName, human.profile.nickName],
      ["Vera", "Real", "Real, Vera", "vera"],
    );
    const { isVerified, proof } = human.email;
    assert.deepEqual([isVerified, proof.organizationId], [true, organizationId], "as the organization says");
    assert.deepEqual(await metadataOf(userId), { said: ["none", null, "vera@mail.example"] });
    const search = { queries: [{ userIdQuery: { userId } }] };
    const grants = await server.rest("POST", "/management/v1/users/grants/_search", { body: search });
    assert.deepEqual(grants.body.result[0].roleKeys, ["reader"]);

    // The next sign-in takes names over from the script, and metadata.
    assert.ok(isBack((await go({ ...account, name: "Vera Other", mail: "new@mail.example" })).page));
    const later = (await server.rest("GET", `/v2/users/${userId}`)).body.user.human;
    assert.deepEqual([later.profile.familyName, later.email.email], ["Other", "vera@mail.example"]);
    assert.deepEqual((await metadataOf(userId))["said"], ["none", null, "new@mail.example"]);

    // A script that fails refuses the sign-in.
    await scripts.run(external.postAuthentication, "no", `function no() { throw new Error("not today"); }`);
    const { page } = await go(account);
    assert.ok(isOutcome(page));
    assert.match(page.html, /A required step failed/);
    assert.doesNotMatch(page.html, /not today/);
    await scripts.set(external.postAuthentication, []);
    await scripts.run(external.preCreation, "never", `function never() { throw new Error("no"); }`);
    const named = { given_name: "W", family_name: "W", email: "w@mail.example", email_verified: true };
    assert.ok(isOutcome((await go({ sub: "w", ...named })).page));
    assert.deepEqual(await findPeople(server, "w@mail.example"), []);
  });

  test("no script chooses whose the account is (A13)", async (t) => {
    const { server, go, scripts } = await setUp(start, t, {
      autoLinking: "email",
      isLinkingAllowed: true,
    });
    const ada = await addPerson(server, { username: "ada" });
    await scripts.run(
      external.postAuthentication,
      "pretend",
      `function pretend(ctx, api) { api.setEmail("ada@mail.example"); api.setEmailVerified(true); }`,
    );
    const mallory = { given_name: "M", family_name: "M", email: "mallory@mail.example", email_verified: true };
    const { page } = await go({ sub: "mallory", ...mallory });
    assert.ok(!isBack(page) || (await findPeople(server, "ada@mail.example")).length === 1, page.html);
    const { body } = await server.connect("service.user.v2.UserService/ListIDPLinks", { userId: ada.userId });
    assert.deepEqual(body.result ?? [], []);
    const people = await findPeople(server, "ada@mail.example");
    assert.deepEqual(
      people.map(({ userId }) => userId),
      [ada.userId],
    );
  });

  test("a script changes nothing of a user elsewhere to whom the account was linked while it ran", async (t) => {
    const { server, idp, go, scripts, metadataOf } = await setUp(start, t, { isLinkingAllowed: true });
    const { organizationId } = await addOwnedOrganization(server, "Bank");
    const ada = await addPerson(server, { username: "ada", organizationId });
    const profileOf = async () => (await server.rest("GET", `/v2/users/${ada.userId}`)).body.user.human.profile;
    const before = await profileOf();
    const receiver = await startReceiver(t);
    const idpLink = { idpId: idp, userId: "vera", userName: "vera" };
    const link = () => server.connect("service.user.v2.UserService/AddIDPLink", { userId: ada.userId, idpLink });
    receiver.answer = (_request, response) => void link().then(({ status }) => response.writeHead(status).end());
    const script = (name: string, more = "") => `const http = require("zitadel/http");
      function ${name}(ctx, api) {
        ${more}
        api.setFirstName("${name}");
        api.setNickName("${name}");
        api.v1.user.appendMetadata("${name}", true);
      }`;
    await scripts.run(external.postAuthentication, "wait", script("wait", `http.fetch("${receiver.origin}/");`));
    const { page } = await go({});
    assert.ok(isBack(page), page.html);
    assert.equal(receiver.received.length, 1);
    assert.deepEqual([await profileOf(), await metadataOf(ada.userId)], [before, {}]);
    // Those of the user's own organization have their say, also then.
    await scripts.run(external.postAuthentication, "own", script("own"), { organizationId });
    await server.connect("service.user.v2.UserService/RemoveIDPLink", {
      userId: ada.userId,
      idpId: idp,
      linkedUserId: "vera",
    });
    assert.ok(isBack((await go({})).page));
    assert.equal(receiver.received.length, 2);
    const { givenName, nickName } = await profileOf();
    assert.deepEqual([givenName, nickName, await metadataOf(ada.userId)], ["own", "own", { own: true }]);
  });

  test("what opens the account elsewhere is for scripts of those who answer for the provider", async (t) => {
    const { server, go, scripts, userOf, metadataOf } = await setUp(start, t);
    const tenant = await addOwnedOrganization(server, "Tenant");
    const client = await addClient(server, {}, "Tenant's", tenant.organizationId);
    const ofTenant = { organizationId: tenant.organizationId, token: tenant.token };
    const script = `function see(ctx, api) {
      api.v1.user.appendMetadata("tokens", [typeof ctx.accessToken, typeof ctx.idToken]);
    }`;
    const id = await scripts.run(external.postAuthentication, "see", script, ofTenant);
    const account = { given_name: "V", family_name: "R", email: "vera@mail.example", email_verified: true };
    const scope = ` urn:service:iam:org:id:${tenant.organizationId}`;
    assert.ok(isBack((await go(account, client, scope)).page));
    const { userId, details } = await userOf("vera@mail.example");
    assert.equal(details.resourceOwner, tenant.organizationId);
    assert.deepEqual(await metadataOf(userId), { tokens: ["undefined", "undefined"] });
    // One who may write the scripts of every organization does not answer for the instance's providers.
    const manager = await addServiceAccount(server, await defaultOrganization(server), "manager");
    await appoint(server, manager, { instance: true }, ["IAM_ORG_MANAGER"]);
    const { organizationId } = tenant;
    const managers = { name: "see", script: `${script} // manager`, timeout: "5s" };
    await scripts.call("PUT", `/actions/${id}`, managers, { organizationId, token: manager.token });
    assert.ok(isBack((await go(account, client, scope)).page));
    assert.deepEqual(await metadataOf(userId), { tokens: ["undefined", "undefined"] });
    const body = { name: "see", script: `${script} //`, timeout: "5s" };
    await scripts.call("PUT", `/actions/${id}`, body, { organizationId });
    assert.ok(isBack((await go(account, client, scope)).page));
    assert.deepEqual(await metadataOf(userId), { tokens: ["string", "string"] });
  });

  test("scripts of an organization that only a link names do not run before the user agrees (A13)", async (t) => {
    const { server, go, client, scripts } = await setUp(start, t);
    const evil = await addOwnedOrganization(server, "Evil");
    const ofEvil = { organizationId: evil.organizationId, token: evil.token };
    // Refuses everyone, so that a run can be seen.
    await scripts.run(external.postAuthentication, "spy", `function spy() { throw new Error("seen"); }`, ofEvil);
    const account = { given_name: "V", family_name: "R", email: "vera@mail.example", email_verified: true };
    const { browser, page } = await go(account, client, ` urn:service:iam:org:id:${evil.organizationId}`);
    assert.match(page.html, /manages your account/, page.html);
    const agreed = await browser.submit(page, {}, { action: "/ui/login/external" });
    assert.match(agreed.html, /A required step failed/);
    assert.deepEqual(await findPeople(server, "vera@mail.example"), []);
  });
});
