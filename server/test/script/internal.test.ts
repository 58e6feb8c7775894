import assert from "node:assert/strict";
import { test } from "node:test";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { confirm, findPeople, grace } from "../login/support/sign-up.ts";
import { addOrganization, addPerson, defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { internal, scriptsOf } from "./support/scripts.ts";

const metadataOf = async (server: TestServer, userId: string): Promise<Record<string, unknown>> => {
  const { body } = await server.connect("service.user.v2.UserService/ListUserMetadata", { userId });
  const pairs = (body.metadata ?? []) as { key: string; value: string }[];
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Buffer.from(value, "base64").toString()]));
};

const userOf = async (server: TestServer, userId: string) =>
  (await server.rest("GET", `/v2/users/${userId}`)).body.user;

eachServer((start) => {
  test("scripts run after a password, see the request, set metadata, and may refuse", async (t) => {
    const server = await start(t);
    const scripts = scriptsOf(server);
    const organizationId = await defaultOrganization(server);
    const ada = await addPerson(server, { username: "ada", organizationId });
    const client = await addClient(server);
    const signIn = async () => enter(await visit(server, client, { scope: "openid email" }), ada);
    await scripts.run(
      internal.postAuthentication,
      "note",
      `function note(ctx, api) {
        const { authMethod, authError, authRequest, httpRequest } = ctx.v1;
        const secrets = JSON.stringify(ctx).includes(${JSON.stringify(ada.password)}) || "cookie" in httpRequest.headers;
        const { applicationId, request, userId, loginName } = authRequest;
        api.v1.user.appendMetadata("seen", [authMethod, authError, request.oidc.scopes, userId, loginName, secrets]);
        api.v1.user.appendMetadata("client", applicationId);
        api.v1.user.appendMetadataRaw("raw", "plain");
        api.metadata.push({ key: "old", value: 1 });
      }`,
    );
    assert.ok(isBack(await signIn()));
    const { seen, client: clientId, ...rest } = await metadataOf(server, ada.userId);
    const wanted = ["password", "none", ["openid", "email"], ada.userId, ada.loginName, false];
    assert.deepEqual(JSON.parse(String(seen)), wanted);
    assert.equal(JSON.parse(String(clientId)), client.clientId);
    assert.deepEqual(rest, { raw: "plain", old: "1" });

    await scripts.run(internal.postAuthentication, "no", `function no() { throw new Error("not today"); }`);
    const refused = await signIn();
    assert.match(refused.address, /^\/ui\/login\/password/);
    assert.match(refused.alert ?? "", /A required step failed/);
    assert.doesNotMatch(refused.html, /not today/);
    await scripts.run(internal.postAuthentication, "may", `function may() { throw new Error("no"); }`, {
      allowedToFail: true,
    });
    assert.ok(isBack(await signIn()));

    // Another organization's scripts have nothing to do with the user.
    const elsewhere = await addOrganization(server, "Else");
    const bob = await addPerson(server, { username: "bob", organizationId: elsewhere });
    await scripts.run(internal.postAuthentication, "nope", `function nope() { throw new Error("no"); }`);
    assert.ok(isBack(await enter(await visit(server, client), bob)));
    assert.deepEqual(await metadataOf(server, bob.userId), {});
  });

  test("scripts change new users, refuse them, and give them roles of the organization's projects", async (t) => {
    const server = await start(t);
    const scripts = scriptsOf(server);
    const client = await addClient(server);
    const elsewhere = await addOrganization(server, "Else");
    const organizationId = await defaultOrganization(server);
    const makeProject = async (owner: string) => {
      const name = "Roles";
      const made = await server.connect("service.project.v2.ProjectService/CreateProject", {
        organizationId: owner,
        name,
      });
      const { projectId } = made.body;
      const role = { projectId, roleKey: "reader", displayName: "Reader" };
      await server.connect("service.project.v2.ProjectService/AddProjectRole", role);
      return projectId as string;
    };
    const [own, foreign] = [await makeProject(organizationId), await makeProject(elsewhere)];
    const register = async (email: string) => {
      const { browser, page } = await visit(server, client, { prompt: "create" });
      return confirm(server, browser, await browser.submit(page, { ...grace, email }), email);
    };

    await scripts.run(
      internal.preCreation,
      "adapt",
      `function adapt(ctx, api) {
        const { profile, email, id } = ctx.v1.user;
        if (email.email === "evil@mail.example") throw new Error("not here");
        api.setFirstName(profile.firstName + "!".repeat(2).length);
        api.setNickName("Amazing");
        api.setGender(1);
        api.setPhone("+41791234567");
        api.setPhoneVerified(true);
        api.v1.user.appendMetadata("from", { id, address: email.email, isVerified: email.isEmailVerified });
      }`,
    );
    await scripts.run(
      internal.postCreation,
      "grant",
      `function grant(ctx, api) {
        api.userGrants.push({ projectID: "${own}", roles: ["reader"] });
        api.v1.appendUserGrant({ projectId: "${foreign}", roles: ["reader"] });
        api.v1.appendUserGrant({ projectId: "${own}", roles: ["unknown"] });
        if (ctx.v1.getUser().human.email !== "grace@mail.example") throw new Error("too late to refuse");
      }`,
    );
    assert.ok(isBack(await register(grace.email)));
    const [{ userId } = { userId: "" }] = await findPeople(server, grace.email);
    const { human } = await userOf(server, userId);
    assert.deepEqual(
      [human.profile.givenName, human.profile.nickName, human.profile.gender, human.email.isVerified],
      ["Grace2", "Amazing", "GENDER_FEMALE", true],
    );
    assert.deepEqual([human.phone.phone, human.phone.isVerified], ["+41791234567", true]);
    assert.equal(human.phone.proof?.organizationId, organizationId, "the word of the organization alone");
    const { from } = await metadataOf(server, userId);
    assert.deepEqual(JSON.parse(String(from)), { id: "", address: grace.email, isVerified: true });
    const search = { queries: [{ userIdQuery: { userId } }] };
    const { body } = await server.rest("POST", "/management/v1/users/grants/_search", { body: search });
    const grants = body.result as { projectId: string; roleKeys: string[] }[];
    assert.deepEqual(
      grants.map(({ projectId, roleKeys }) => [projectId, ...roleKeys]),
      [[own, "reader"]],
    );

    const refused = await register("evil@mail.example");
    assert.ok(!isBack(refused));
    assert.match(refused.alert ?? "", /A required step failed/);
    assert.deepEqual(await findPeople(server, "evil@mail.example"), []);
    assert.ok(isBack(await register("late@mail.example")), "the user exists by then");
  });

  test("an address that a script calls verified is no better than the word of the organization (A13)", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { ignoreUnknownUsernames: false });
    const scripts = scriptsOf(server);
    const client = await addClient(server);
    const organizationId = await defaultOrganization(server);
    const register = async (email: string) => {
      const { browser, page } = await visit(server, client, { prompt: "create" });
      return browser.submit(page, { ...grace, email });
    };
    const proofOf = async (email: string) => {
      const [{ userId } = { userId: "" }] = await findPeople(server, email);
      const { isVerified = false, proof } = (await userOf(server, userId)).human.email;
      return { isVerified, method: proof?.method, of: proof?.organizationId };
    };
    await scripts.run(internal.preCreation, "trust", "function trust(ctx, api) { api.setEmailVerified(true); }");
    await register("grace@mail.example");
    assert.deepEqual(await proofOf("grace@mail.example"), {
      isVerified: true,
      method: "CONTACT_PROOF_METHOD_ADMINISTRATOR",
      of: organizationId,
    });
    // It takes the address from no user of another organization: the name means the one whom the instance vouches for.
    const vera = await addPerson(server, {
      username: "vera",
      organizationId: await addOrganization(server, "Else"),
      password: "a sentence of vera's own",
    });
    const take = `function take(ctx, api) { api.setEmail("vera@mail.example"); api.setEmailVerified(true); }`;
    await scripts.run(internal.preCreation, "take", take);
    await register("mallory@mail.example");
    assert.deepEqual(await findPeople(server, "mallory@mail.example"), []);
    const name = { loginName: "vera@mail.example" };
    assert.ok(isBack(await enter(await visit(server, client), { ...name, password: vera.password })));
    assert.ok(!isBack(await enter(await visit(server, client), { ...name, password: grace.password })));
    // Nor from one of its own organization.
    const refused = await register("eve@mail.example");
    assert.ok(!isBack(refused));
    assert.equal((await findPeople(server, "vera@mail.example")).length, 2);
  });
});
