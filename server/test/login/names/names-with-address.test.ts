import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { inboxOf } from "../../factor/support.ts";
import { addOrganization, addPerson, appoint, goodPassword, sessionOf } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../../support/servers/server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { enter, isBack, visit } from "../support/sign-in.ts";
import { grace } from "../support/sign-up.ts";

const users = "service.user.v2.UserService";
const address = "admin@example.com";
const refusal = "user.username_is_address";

const slug = ({ status, body }: RestAnswer): string =>
  status === 200 ? "ok" : (body.details?.[0]?.debug?.id ?? JSON.stringify(body));

interface Wanted {
  readonly organizationId: string;
  readonly username: string | undefined;
  readonly email: string;
  readonly isVerified?: boolean;
  readonly password?: string;
}

const create = (server: TestServer, wanted: Wanted, token = server.ownerToken): Promise<RestAnswer> =>
  server.connect(
    `${users}/CreateUser`,
    {
      organizationId: wanted.organizationId,
      username: wanted.username,
      human: {
        profile: { givenName: "Given", familyName: "Family" },
        email: wanted.isVerified === false ? { email: wanted.email } : { email: wanted.email, isVerified: true },
        password: { password: wanted.password ?? goodPassword },
      },
    },
    { token },
  );

async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  const [home, evil] = [await addOrganization(server, "Home"), await addOrganization(server, "Evil")];
  const eve = await addPerson(server, { username: "eve", organizationId: evil });
  await appoint(server, eve, { organizationId: evil }, ["ORG_OWNER"]);
  const { token } = await sessionOf(server, eve);
  return { server, home, evil, eve, token };
}

serversInTurn((start, test, both) => {
  both(
    "a name with @ is one's own address or in a proven domain of one's organization, on every path (A12)",
    async (t) => {
      const { server, evil, eve, token } = await setUp(start, t);
      const organizationId = evil;
      const v1 = (method: string, body: object) =>
        server.connect(`service.management.v1.ManagementService/${method}`, body, { token });
      const person = { firstName: "Given", lastName: "Family" };
      const other = "other@evil.example";
      const methods: Record<string, (username: string, email: string) => Promise<RestAnswer>> = {
        CreateUser: (username, email) => create(server, { organizationId, username, email }, token),
        AddHumanUser: (username, email) =>
          server.connect(
            `${users}/AddHumanUser`,
            { username, profile: { givenName: "Given", familyName: "Family" }, email: { email, isVerified: true } },
            { token },
          ),
        "v1 AddHumanUser": (userName, email) =>
          v1("AddHumanUser", { userName, profile: person, email: { email, isEmailVerified: true } }),
        "v1 ImportHumanUser": (userName, email) =>
          v1("ImportHumanUser", { userName, profile: person, email: { email, isEmailVerified: true } }),
      };
      let count = 0;
      for (const [method, make] of Object.entries(methods)) {
        assert.equal(slug(await make(address, other)), refusal, method);
        const own = `own${++count}@evil.example`;
        assert.equal(slug(await make(own, own.toUpperCase())), "ok", `${method}: the user's own address`);
        assert.equal(slug(await make(`user${count}@evil.localhost`, other)), "ok", `${method}: in a proven domain`);
      }
      // Users who are made together with their organization, by an administrator of the instance.
      const founders: Record<string, (name: string, userName: string, email: string) => Promise<RestAnswer>> = {
        AddOrganization: (name, username, email) => {
          const profile = { givenName: "Given", familyName: "Family" };
          const human = { username, profile, email: { email, isVerified: true } };
          return server.connect("service.org.v2.OrganizationService/AddOrganization", { name, admins: [{ human }] });
        },
        "v1 SetUpOrg": (name, userName, email) =>
          server.connect("service.admin.v1.AdminService/SetUpOrg", {
            org: { name },
            human: { userName, profile: person, email: { email, isEmailVerified: true } },
          }),
      };
      for (const [method, found] of Object.entries(founders)) {
        const name = method.replace(" ", "");
        const own = `${name}@mail.example`;
        assert.equal(slug(await found(name, address, own)), refusal, method);
        assert.equal(slug(await found(name, own, own)), "ok", `${method}: the user's own address`);
        assert.equal(
          slug(await found(`${name}2`, `a@${name}2.localhost`, own)),
          "ok",
          `${method}: in the domain it gets`,
        );
      }
      const machine = (username: string) =>
        server.connect(`${users}/CreateUser`, { organizationId, username, machine: { name: "Bot" } }, { token });
      assert.equal(slug(await machine(address)), refusal);
      assert.equal(slug(await machine("bot@evil.localhost")), "ok");
      assert.equal(slug(await v1("AddMachineUser", { userName: address, name: "Bot" })), refusal);

      const renames: Record<string, (userName: string) => Promise<RestAnswer>> = {
        UpdateUser: (username) => server.connect(`${users}/UpdateUser`, { userId: eve.userId, username }),
        UpdateHumanUser: (username) => server.connect(`${users}/UpdateHumanUser`, { userId: eve.userId, username }),
        "v1 UpdateUserName": (userName) => v1("UpdateUserName", { userId: eve.userId, userName }),
      };
      for (const [method, rename] of Object.entries(renames)) {
        assert.equal(slug(await rename(address)), refusal, method);
        assert.equal(slug(await rename("eve@mail.example")), "ok", method);
        assert.equal(slug(await rename("eve")), "ok", method);
      }
      const both = await server.connect(`${users}/UpdateUser`, {
        userId: eve.userId,
        username: "new@evil.example",
        human: { email: { email: "new@evil.example", isVerified: true } },
      });
      assert.equal(slug(both), "ok", "address and name at once");
    },
  );

  test("users do not name themselves after an address that they did not prove (A12)", async (t) => {
    const { server, evil } = await setUp(start, t);
    const ann = await addPerson(server, { username: "ann", organizationId: evil });
    const { token } = await sessionOf(server, ann);
    const rename = (userName: string) =>
      server.connect("service.auth.v1.AuthService/UpdateMyUserName", { userName }, { token });
    assert.equal(slug(await rename(address)), refusal);
    const entered = await server.connect("service.auth.v1.AuthService/SetMyEmail", { email: address }, { token });
    assert.equal(slug(entered), "ok");
    assert.equal(slug(await rename(address)), refusal, "it was merely entered");
    assert.equal(slug(await rename("ann@evil.localhost")), "ok");
  });

  test("the owner of an address signs in and resets by it, whichever user has it as a name (A12)", async (t) => {
    const { server, home, evil, token } = await setUp(start, t);
    const client = await addClient(server);
    const hers = "the owner of the address";
    for (const [organizationId, isVerified] of [
      [evil, false],
      [home, true],
    ] as const) {
      const password = organizationId === home ? hers : goodPassword;
      const username = organizationId === home ? "root" : address;
      assert.equal(
        slug(await create(server, { organizationId, username, email: address, isVerified, password })),
        "ok",
      );
    }
    const signIn = async (password: string) => enter(await visit(server, client), { loginName: address, password });
    assert.ok(isBack(await signIn(hers)));
    assert.ok(!isBack(await signIn(goodPassword)), "not the account that has it as a name");

    // A later word of another administrator takes nothing from the first one.
    server.clock.now += 1000;
    assert.equal(slug(await create(server, { organizationId: evil, username: "fake", email: address }, token)), "ok");
    assert.ok(isBack(await signIn(hers)));

    const { browser, page } = await visit(server, client);
    const asked = await browser.submit(page, { login_name: address });
    const forgotten = await browser.open(asked.address.replace("/password?", "/forgotten?"));
    await browser.submit(forgotten, {});
    const messages = (await inboxOf(server, address)).filter(({ text }) => text.includes("password-reset"));
    assert.equal(messages.length, 1);
    const [link = ""] = /http:\/\/\S*password-reset\S*/.exec(messages[0]?.text ?? "") ?? [];
    const { pathname, search } = new URL(link);
    const fields = { new_password: "another long sentence", new_password_repeated: "another long sentence" };
    await browser.submit(await browser.open(pathname + search), fields);
    assert.ok(isBack(await signIn("another long sentence")));
  });

  test("a code beats the word of an administrator, including an earlier one; a returned code does not (A12)", async (t) => {
    const { server, home, evil, token } = await setUp(start, t);
    const client = await addClient(server);
    const evils = await create(server, { organizationId: evil, username: "early", email: address }, token);
    server.clock.now += 1000;
    const hers = "the owner of the address";
    const made = await create(server, {
      organizationId: home,
      username: address,
      email: address,
      isVerified: false,
      password: hers,
    });
    assert.equal(slug(made), "ok");
    const signIn = async (password: string) => enter(await visit(server, client), { loginName: address, password });
    assert.ok(!isBack(await signIn(hers)), "nobody has proved it");
    const [message] = await inboxOf(server, address);
    const code = /\b[A-Z0-9]{6}\b/.exec(message?.text ?? "")?.[0] ?? "";
    const proven = await server.connect(`${users}/VerifyEmail`, { userId: made.body.id, verificationCode: code });
    assert.equal(slug(proven), "ok", message?.text);
    assert.ok(isBack(await signIn(hers)));

    const returned = await server.connect(
      `${users}/SetEmail`,
      { userId: evils.body.id, email: "ADMIN@example.com", returnCode: {} },
      { token },
    );
    const forged = { userId: evils.body.id, verificationCode: returned.body.verificationCode };
    await server.connect(`${users}/VerifyEmail`, forged, { token });
    assert.ok(isBack(await signIn(hers)), "whoever asked for the code had it as well");
  });

  test("another user's name does not keep the owner of an address from an account, with bare login names as well (A12)", async (t) => {
    const { server, home, evil, token } = await setUp(start, t);
    await changeSettings(server, "domain", { loginNameIncludesDomain: false });
    await changeSettings(server, "login", { ignoreUnknownUsernames: false, allowRegister: true });
    const squat = await create(
      server,
      { organizationId: evil, username: address, email: address, isVerified: false },
      token,
    );
    assert.equal(slug(squat), "ok");
    assert.equal(slug(await create(server, { organizationId: home, username: address, email: address })), "ok");
    const second = "second@example.com";
    const entered = { organizationId: evil, username: second, email: second, isVerified: false };
    assert.equal(slug(await create(server, entered, token)), "ok");
    // Nor does an assertion of a tenant that the address is verified.
    const word = { organizationId: evil, username: "word", email: second };
    assert.equal(slug(await create(server, word, token)), "ok");
    const client = await addClient(server);
    const { browser, page } = await visit(server, client, { prompt: "create" });
    const link = /href="(\/ui\/login\/register[^"]*)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&");
    const form = link === undefined ? page : await browser.open(link);
    const done = await browser.submit(form, { ...grace, email: second });
    assert.ok(isBack(done), done.html);
  });

  test("registering with an address takes it from no user who is known by it, made earlier or later (A12)", async (t) => {
    const { server, evil, token } = await setUp(start, t);
    await changeSettings(server, "login", { ignoreUnknownUsernames: false, allowRegister: true });
    const client = await addClient(server);
    const squatter = "the password of the squatter";
    const { browser, page } = await visit(server, client, { prompt: "create" });
    const entered = { ...grace, email: address, password: squatter, new_password_repeated: squatter };
    await browser.submit(page, entered);
    const signIn = async (password: string) => enter(await visit(server, client), { loginName: address, password });
    assert.ok(isBack(await signIn(squatter)), "as long as the address is no other user's");

    server.clock.now += 1000;
    // An administrator of the organization makes the account, and their assertion counts in it alone.
    const hers = "the owner of the address";
    assert.equal(
      slug(await create(server, { organizationId: evil, username: "ciso", email: address, password: hers }, token)),
      "ok",
    );
    assert.ok(isBack(await signIn(hers)));
    assert.ok(!isBack(await signIn(squatter)));
  });

  both("of many who take one address as their name in one organization, one has it (A12)", async (t) => {
    const { server, home } = await setUp(start, t);
    const wanted = { organizationId: home, username: address, email: address };
    const outcomes = (await Promise.all([1, 2, 3, 4].map(() => create(server, wanted)))).map(slug);
    assert.deepEqual(outcomes.toSorted(), ["ok", ...new Array(3).fill("user.username_taken")]);
  });

  both("IsUserUnique answers only callers who may read the users of the organization", async (t) => {
    const { server, home, evil, token } = await setUp(start, t);
    const ask = (organizationId: string) =>
      server.connect(
        "service.management.v1.ManagementService/IsUserUnique",
        { userName: "root", email: "root@mail.example" },
        { token, headers: { "x-service-orgid": organizationId } },
      );
    await addPerson(server, { username: "root", organizationId: home });
    assert.equal((await ask(evil)).body.isUnique, true);
    assert.equal((await ask(home)).status, 403);
  });
});
