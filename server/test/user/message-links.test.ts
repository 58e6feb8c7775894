import assert from "node:assert/strict";
import { addMember, callUser, inboxOf, refusalOf } from "../factor/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { registered, setRegistration } from "../support/oidc/registration.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";

const foreign = "notification.url_template_foreign";
const template = (origin: string): string => `${origin}/verify?user={{.UserID}}&code={{.Code}}`;

serversInTurn((start, test) => {
  test("links in messages lead to registered origins, whichever caller sends them (A16)", async (t) => {
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
    const own = new URL(server.origin);
    const others = [
      `http://${own.hostname}`,
      `https://${own.host}`,
      `http://${own.hostname}:${Number(own.port) + 1}`,
      "http://portal.example",
      "https://portal.example:8443",
      "https://portal.example.evil.example",
    ];
    for (const origin of others) assert.equal(await send(managing, origin), foreign, origin);
    assert.equal(await send(managing, `http://portal.example:${own.port}`), "done", "scheme and port of the instance");
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

    // Clients that register themselves lie in the default organization, the home of Eve.
    const sendToEve = (origin: string) =>
      refusalOf(server, "PasswordReset", { userId: other.userId, sendLink: { urlTemplate: template(origin) } });
    await setRegistration(server, "open");
    await registered(server, { redirect_uris: ["https://stranger.example/callback"] }, null);
    assert.equal(await sendToEve("https://stranger.example"), foreign, "an application of a stranger");
    await addClient(server, { redirectUris: ["https://ours.example/callback"] });
    assert.equal(await sendToEve("https://ours.example"), "done", "an application of the default organization");
  });

  test("users who ask for themselves get links to our own pages, and resets only right after signing in (A16)", async (t) => {
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

  test("no name makes a link in a message, whichever user chose it (A16)", async (t) => {
    const server = await start(t);
    const { organizationId, managing } = await addPortal(server);
    const eve = await addMember(server, { username: "eve" });
    const lure = "Pay at https://evil.example/x or www.evil.example";
    const profile = { givenName: lure, familyName: "evil.example", displayName: lure };
    await callUser(server, "UpdateUser", { userId: eve.userId, human: { profile } }, eve.token);
    await callUser(server, "UpdateUser", { userId: eve.userId, username: "evil.example/pay" }, eve.token);
    await callUser(server, "SetEmail", { userId: eve.userId, email: "one@mail.example", sendCode: {} }, eve.token);

    const renamed = await server.connect("service.org.v2.OrganizationService/UpdateOrganization", {
      organizationId,
      name: lure,
    });
    assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
    const invite = async (email: string, applicationName: string, displayName: string) => {
      const human = {
        profile: { givenName: "Ada", familyName: "King", displayName },
        email: { email, isVerified: true },
      };
      const { id: userId } = await callUser(server, "CreateUser", { organizationId, human }, managing);
      await callUser(server, "CreateInviteCode", { userId, sendCode: { applicationName } }, managing);
    };
    await invite("two@mail.example", lure, "Ada King");
    for (const recipient of ["one@mail.example", "two@mail.example"]) {
      const [message] = await inboxOf(server, recipient);
      const said = `${message.subject}\n${message.text}\n${message.html}`;
      assert.match(said, /Pay at https: \/\/evil\. example/, recipient);
      assert.doesNotMatch(said, /evil\.example|https:\/\/evil|www\.evil/, recipient);
    }
    // The label of a domain name may end with a mark, as words in Hindi do.
    await invite("four@mail.example", "हिन्दी.com", "ที่.com");
    const [marked] = await inboxOf(server, "four@mail.example");
    assert.doesNotMatch(`${marked.subject}\n${marked.text}\n${marked.html}`, /\p{M}\.com/u);
    await invite("three@mail.example", "Shop of J. R. R. Tolkien", "Dr. Ada King-Noel, 3rd");
    const [usual] = await inboxOf(server, "three@mail.example");
    assert.match(usual.text, /Hello Dr\. Ada King-Noel, 3rd,/);
    assert.match(usual.text, /invited to Shop of J\. R\. R\. Tolkien\./);
  });

  test("a code that a link brings to a page of an organization proves its administrators' word alone (A13)", async (t) => {
    const server = await start(t);
    const { organizationId, managing } = await addPortal(server);
    const portal = template("https://portal.acme.example");
    const begin = async (username: string, urlTemplate: string | undefined) => {
      const email = `${username}@mail.example`;
      const human = { profile: { givenName: "Eve", familyName: "New" }, email: { email, sendCode: { urlTemplate } } };
      const { id: userId } = await callUser(server, "CreateUser", { organizationId, username, human }, managing);
      return { userId, email };
    };
    const verify = async ({ userId, email }: { userId: string; email: string }) => {
      const [message] = await inboxOf(server, email);
      const verificationCode = new URL(message.link).searchParams.get("code");
      await callUser(server, "VerifyEmail", { userId, verificationCode });
      return (await callUser(server, "GetUserByID", { userId })).user.human.email.proof.method;
    };
    const word = "CONTACT_PROOF_METHOD_ADMINISTRATOR";
    const foreignPage = await begin("decoy", portal);
    assert.equal(await verify(foreignPage), word);
    const again = await begin("again", portal);
    server.clock.now += 120_000;
    await callUser(server, "ResendEmailCode", { userId: again.userId, sendCode: {} }, managing);
    assert.equal(await verify(again), word, "with the link of the former message");
    assert.equal(await verify(await begin("usual", undefined)), "CONTACT_PROOF_METHOD_CODE", "our own page");
    const trusted = { trustedDomain: "portal.example" };
    await server.connect("service.instance.v2.InstanceService/AddTrustedDomain", trusted);
    const page = template("https://portal.example");
    assert.equal(await verify(await begin("trusted", page)), "CONTACT_PROOF_METHOD_CODE", "a host of trust");

    // The owner of the address comes later, and has it for themselves.
    const victim = await addPerson(server, { username: "newcomer" });
    const decoy = { userId: victim.userId, email: foreignPage.email, sendCode: {} };
    await callUser(server, "SetEmail", decoy);
    assert.equal(await verify({ ...victim, email: foreignPage.email }), "CONTACT_PROOF_METHOD_CODE");
    const found = await server.rest("POST", "/v2/sessions", {
      body: { checks: { user: { loginName: foreignPage.email }, password: { password: victim.password } } },
    });
    assert.equal(found.status, 201, JSON.stringify(found.body));
  });

  test("callers who may not replace a password send no link to a page of the organization either (A16)", async (t) => {
    const server = await start(t);
    const { organizationId, managing } = await addPortal(server);
    const elsewhere = await addOrganization(server, "Elsewhere");
    const person = await addPerson(server, { username: "linus", organizationId });
    await appoint(server, person, { organizationId: elsewhere }, ["ORG_OWNER"]);
    const send = (userId: string, urlTemplate?: string) =>
      refusalOf(server, "PasswordReset", { userId, sendLink: { urlTemplate } }, managing);
    const portal = template("https://portal.acme.example");
    assert.equal(await send(person.userId, portal), "user.administers_more");
    assert.equal(await send(person.userId), "done", "our own page");
    const ours = `${server.origin}/ui/login/password-reset?user={{.UserID}}&code={{.Code}}`;
    assert.equal(await send(person.userId, ours), "done", "the same");
    const plain = await addPerson(server, { username: "plain", organizationId });
    assert.equal(await send(plain.userId, portal), "done", "a user who administers nothing");
  });

  test("an address of ours that redirects the browser does not count as a page of the instance, because the code would reach others (A16)", async (t) => {
    const server = await start(t);
    const { organizationId, managing, clientId } = await addPortal(server);
    const person = await addPerson(server, { username: "linus", organizationId });
    const plain = await addPerson(server, { username: "plain", organizationId });
    await appoint(server, person, { organizationId: await addOrganization(server, "Elsewhere") }, ["ORG_OWNER"]);
    const send = (userId: string, urlTemplate: string) =>
      refusalOf(server, "PasswordReset", { userId, sendLink: { urlTemplate } }, managing);
    const app = `client_id=${clientId}`;
    const code = "https://portal.acme.example/cb";
    const out = "https://portal.acme.example/out";
    const addresses = [
      `/oauth/v2/authorize?${app}&redirect_uri=${code}&response_type=code&scope=openid&prompt=none&state={{.Code}}`,
      `/oidc/v1/end_session?${app}&post_logout_redirect_uri=${out}&state={{.Code}}`,
      `/ui/logout?${app}&post_logout_redirect_uri=${out}&state={{.Code}}`,
      "/ui/login/../../oauth/v2/authorize?state={{.Code}}",
      "/ui/login/password-reset/../../logout?state={{.Code}}",
      "/anything?code={{.Code}}",
    ];
    for (const address of addresses) {
      assert.equal(await send(person.userId, server.origin + address), "user.administers_more", address);
    }
    assert.deepEqual(await inboxOf(server, "linus@mail.example"), []);
    // What the manager could take anyway shows that such an address gives the code away.
    assert.equal(await send(plain.userId, server.origin + String(addresses[0])), "done");
    const [message] = await inboxOf(server, "plain@mail.example");
    const visit = await fetch(message.link, { redirect: "manual" });
    const sentOn = new URL(visit.headers.get("location") ?? "");
    assert.equal(sentOn.origin + sentOn.pathname, code);
    assert.match(sentOn.searchParams.get("state") ?? "", /^\w{6}$/);
    // So what the code proves is no more than the manager's word.
    await callUser(server, "SetPassword", {
      userId: plain.userId,
      newPassword: { password: "another battery staple" },
      verificationCode: sentOn.searchParams.get("state"),
    });
    const { user } = await callUser(server, "GetUserByID", { userId: plain.userId });
    assert.notEqual(user.human.email.proof.method, "CONTACT_PROOF_METHOD_CODE");

    const feature = { loginV2: { required: false, baseUri: `${server.origin}/our-login` } };
    const set = await server.connect("service.feature.v2.FeatureService/SetInstanceFeatures", feature);
    assert.equal(set.status, 200, JSON.stringify(set.body));
    server.clock.now += 600_000;
    assert.equal(await send(person.userId, `${server.origin}/our-login/reset?code={{.Code}}`), "done", "the login");
    assert.equal(await send(person.userId, `${server.origin}/our-login-not?code={{.Code}}`), "user.administers_more");
    const usual = `${server.origin}/ui/login/password-reset?user={{.UserID}}&code={{.Code}}`;
    assert.equal(await send(person.userId, usual), "done", "our own page");

    // A name that would lead out of the login when it stands in the path.
    const human = {
      profile: { givenName: "A", familyName: "B" },
      email: { email: "dots@mail.example", isVerified: true },
    };
    await changeSettings(server, "domain", { loginNameIncludesDomain: false }, organizationId);
    const { id: userId } = await callUser(server, "CreateUser", { organizationId, username: "..", human });
    await appoint(server, { ...person, userId }, { organizationId: await addOrganization(server, "Other") }, [
      "ORG_OWNER",
    ]);
    const upwards = `/our-login/{{.LoginName}}/../oauth/v2/authorize?${app}&state={{.Code}}`;
    assert.equal(await send(userId, server.origin + upwards), "done");
    const [newest] = await inboxOf(server, "dots@mail.example");
    assert.equal(new URL(newest.link).pathname, "/our-login/oauth/v2/authorize");
    const named = { organizationId, userId: "..", username: "dots", human };
    assert.equal(await refusalOf(server, "CreateUser", named), "user.id_invalid", "nor does an id");
  });

  test("no placeholder of a link is a part of its host (A16)", async (t) => {
    const server = await start(t);
    const { userId } = await addPerson(server, { username: "grace" });
    const send = (urlTemplate: string) => refusalOf(server, "PasswordReset", { userId, sendLink: { urlTemplate } });
    const { protocol, hostname, port } = new URL(server.origin);
    for (const authority of [
      "{{.LoginName}}",
      `${hostname}{{.LoginName}}`,
      `{{.UserID}}${hostname}`,
      `${hostname}:{{.UserID}}`,
    ]) {
      assert.equal(
        await send(`${protocol}//${authority}/?c={{.Code}}`),
        "notification.url_template_invalid",
        authority,
      );
    }
    assert.equal(
      await send(`${protocol}//${hostname}:${port}{{.UserID}}/?c={{.Code}}`),
      "notification.url_template_invalid",
    );
    assert.equal(await send(`${server.origin}/{{.UserID}}?c={{.Code}}`), "done", "of its path");
  });

  test("a sign-in application sends administrators no code by a link to an organization's page (A14)", async (t) => {
    const server = await start(t);
    const { organizationId } = await addPortal(server);
    const { id: userId } = await callUser(server, "CreateUser", {
      organizationId,
      username: "portal-login",
      machine: { name: "portal-login" },
    });
    await appoint(server, { userId }, { instance: true }, ["IAM_LOGIN_CLIENT"]);
    const expirationDate = "2100-01-01T00:00:00Z";
    const { token } = await callUser(server, "AddPersonalAccessToken", { userId, expirationDate });
    const owner = await addPerson(server, { username: "owner" });
    await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
    const plain = await addPerson(server, { username: "plain", organizationId });
    const portal = template("https://portal.acme.example");
    const requests = [
      ["PasswordReset", "sendLink"],
      ["CreatePasskeyRegistrationLink", "sendLink"],
    ] as const;
    for (const [method, medium] of requests) {
      const send = (to: string, urlTemplate?: string) =>
        refusalOf(server, method, { userId: to, [medium]: urlTemplate === undefined ? {} : { urlTemplate } }, token);
      assert.equal(await send(owner.userId, portal), "user.login_client_unproven", method);
      assert.equal(await send(owner.userId), "done", `${method}: our own page`);
      assert.equal(await send(plain.userId, portal), "done", `${method}: a user who administers nothing`);
    }
    assert.doesNotMatch(JSON.stringify(await inboxOf(server, "owner@mail.example")), /portal/);
    const trusted = { trustedDomain: "portal.acme.example" };
    await server.connect("service.instance.v2.InstanceService/AddTrustedDomain", trusted);
    server.clock.now += 600_000;
    const reset = { userId: owner.userId, sendLink: { urlTemplate: portal } };
    assert.equal(await refusalOf(server, "PasswordReset", reset, token), "done", "a host of trust");
  });

  test("a user who writes to another address sends no link that leads on from our pages (A16)", async (t) => {
    const server = await start(t);
    const { clientId } = await addPortal(server);
    const { userId, token } = await addMember(server, { username: "eve" });
    const leads = `${server.origin}/ui/logout?client_id=${clientId}&post_logout_redirect_uri=https://portal.acme.example/out`;
    const set = { userId, email: "victim@mail.example", sendCode: { urlTemplate: leads } };
    assert.equal(await refusalOf(server, "SetEmail", set, token), "done");
    const [message] = await inboxOf(server, "victim@mail.example");
    assert.match(message.link, new RegExp(`^${server.origin}/ui/login/verify-email\\?`), "the usual link");
  });
});

/** An organization with an application of its own, and a manager of its users. */
async function addPortal(server: TestServer): Promise<{ organizationId: string; managing: string; clientId: string }> {
  const organizationId = await addOrganization(server, "Acme");
  const manager = await addPerson(server, { username: "manager", organizationId });
  await appoint(server, manager, { organizationId }, ["ORG_USER_MANAGER"]);
  const { token: managing } = await sessionOf(server, manager);
  const project = await server.connect("service.project.v2.ProjectService/CreateProject", {
    organizationId,
    name: "Portal",
  });
  const made = await server.connect("service.application.v2.ApplicationService/CreateApplication", {
    projectId: project.body.projectId ?? project.body.id,
    name: "portal",
    oidcConfiguration: {
      redirectUris: ["https://portal.acme.example/cb"],
      postLogoutRedirectUris: ["https://portal.acme.example/out"],
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
    },
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return { organizationId, managing, clientId: made.body.oidcConfiguration.clientId };
}
