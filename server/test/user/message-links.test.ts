import assert from "node:assert/strict";
import { test } from "node:test";
import { addMember, callUser, inboxOf, refusalOf } from "../factor/support.ts";
import { eachServer } from "../support/each-server.ts";
import { setUpOidc } from "../support/oidc.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people.ts";

const foreign = "notification.url_template_foreign";
const template = (origin: string): string => `${origin}/verify?user={{.UserID}}&code={{.Code}}`;

eachServer((start) => {
  test("links in messages lead to registered origins, whoever sends them (A16)", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const organizationId = await addOrganization(server, "Acme");
    const manager = await addPerson(server, { username: "manager", organizationId });
    await appoint(server, manager, { organizationId }, ["ORG_USER_MANAGER"]);
    const { token: managing } = await sessionOf(server, manager);
    const { userId } = await addPerson(server, { username: "grace", organizationId });
    const by = { owner: server.ownerToken, manager: managing, "sign-in application": loginToken };
    const send = (token: string, origin: string) =>
      refusalOf(server, "PasswordReset", { userId, sendLink: { urlTemplate: template(origin) } }, token);
    const evil = "https://evil.example";
    for (const [name, token] of Object.entries(by)) {
      assert.equal(await send(token, evil), foreign, name);
      const mail = { userId, email: "next@mail.example", sendCode: { urlTemplate: template(evil) } };
      if (name !== "sign-in application") assert.equal(await refusalOf(server, "SetEmail", mail, token), foreign, name);
      const human = {
        profile: { givenName: "New", familyName: "New" },
        email: { email: `${token.length}@mail.example`, sendCode: { urlTemplate: template(evil) } },
      };
      assert.equal(await refusalOf(server, "CreateUser", { organizationId, human }, token), foreign, name);
      assert.equal(await send(token, server.origin), "done", `${name}: a host of the instance`);
    }
    assert.deepEqual(await inboxOf(server, "next@mail.example"), []);

    const trusted = await server.connect("service.instance.v2.InstanceService/AddTrustedDomain", {
      trustedDomain: "portal.example",
    });
    assert.equal(trusted.status, 200, JSON.stringify(trusted.body));
    assert.equal(await send(managing, "https://portal.example"), "done", "a host that the instance trusts");
    assert.equal(await send(managing, "https://portal.example.evil.example"), foreign);
    assert.equal(await send(managing, "https://portal.example@evil.example"), "notification.url_template_invalid");

    const project = await server.connect("service.project.v2.ProjectService/CreateProject", {
      organizationId,
      name: "Shop",
    });
    const application = await server.connect("service.application.v2.ApplicationService/CreateApplication", {
      projectId: project.body.projectId ?? project.body.id,
      name: "shop",
      oidcConfiguration: {
        redirectUris: ["https://shop.example/callback"],
        responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
      },
    });
    assert.equal(application.status, 200, JSON.stringify(application.body));
    assert.equal(await send(managing, "https://shop.example"), "done", "an application of the organization");
    assert.equal(await send(managing, "https://shop.example:8443"), foreign, "another port of it");
    const other = await addPerson(server, { username: "eve" });
    const elsewhere = { userId: other.userId, sendLink: { urlTemplate: template("https://shop.example") } };
    assert.equal(await refusalOf(server, "PasswordReset", elsewhere), foreign, "of another organization");
  });

  test("people who ask for themselves get links to our own pages, and resets only right after signing in (A16)", async (t) => {
    const server = await start(t);
    const { userId, token } = await addMember(server, { username: "eve" });
    const victim = "victim@mail.example";
    const sendCode = { urlTemplate: template("https://evil.example") };
    assert.equal(await refusalOf(server, "SetEmail", { userId, email: victim, sendCode }, token), "done");
    const [message] = await inboxOf(server, victim);
    assert.match(message.link, new RegExp(`^${server.origin}/ui/`), "the usual link");
    assert.doesNotMatch(JSON.stringify(message), /evil\.example/);
    assert.equal(await refusalOf(server, "ResendEmailCode", { userId, sendCode }, token), "done");
    assert.doesNotMatch(JSON.stringify(await inboxOf(server, victim)), /evil\.example/);

    const ada = await addMember(server, { username: "grace" });
    const sendLink = { urlTemplate: template("https://evil.example") };
    const reset = () => refusalOf(server, "PasswordReset", { userId: ada.userId, sendLink }, ada.token);
    assert.equal(await reset(), "done");
    assert.doesNotMatch(JSON.stringify(await inboxOf(server, "grace@mail.example")), /evil\.example/);
    server.clock.now += 11 * 60_000;
    assert.equal(await reset(), "authentication.too_old");
    await callUser(server, "PasswordReset", { userId: ada.userId, sendLink: {} });
  });
});
