import assert from "node:assert/strict";
import { refusalOf } from "../../factor/support.ts";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import { visit } from "../support/sign-in.ts";
import { codeTo, messagesTo } from "../support/sign-up.ts";

const address = "vera@mail.example";
const password = "the owner of the address";

serversInTurn((start, test) => {
  test("beside a stranger's scope no reset goes to the address of another user (A16)", async (t) => {
    const server = await start(t);
    const [home, evil] = [await defaultOrganization(server), await addOrganization(server, "Evil")];
    const eve = await addPerson(server, { username: "eve", organizationId: evil });
    await appoint(server, eve, { organizationId: evil }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, eve);
    const create = async (organizationId: string, username: string, email: object, by: object = {}) => {
      const human = { profile: { givenName: "Vera", familyName: "Real" }, email, password: { password } };
      const body = { organizationId, username, human };
      const made = await server.connect("service.user.v2.UserService/CreateUser", body, by);
      assert.equal(made.status, 200, JSON.stringify(made.body));
      return made.body.id as string;
    };
    const vera = await create(home, "vera", { email: address });
    const verificationCode = await codeTo(server, address);
    assert.equal(await refusalOf(server, "VerifyEmail", { userId: vera, verificationCode }), "done");
    const decoy = await create(evil, "decoy", { email: address, isVerified: true }, { token });
    const own = await create(evil, "own", { email: "own@mail.example", isVerified: true }, { token });
    const sub = "vera+1@mail.example";
    const other = await create(evil, "vera", { email: sub, isVerified: true }, { token });
    const [stranger, ofEvil] = [await addClient(server), await addClient(server, {}, "Own", evil)];
    const scope = `openid urn:service:iam:org:id:${evil}`;
    /** Asks for a reset of a name; returns whose account the messages are for, and what the page says. */
    const reset = async (name: string, client: SignInClient = stranger, parameters: object = { scope }) => {
      server.clock.now += 2 * 60 * 60_000;
      const all = async () => [
        ...(await messagesTo(server, address)),
        ...(await messagesTo(server, "own@mail.example")),
        ...(await messagesTo(server, sub)),
      ];
      const former = new Set((await all()).map(({ notificationId }) => notificationId));
      const { browser, page } = await visit(server, client, { ...parameters });
      const isCombined = page.html.includes('name="password"');
      const asked = isCombined
        ? await browser.open(page.address.replace("/ui/login?", "/ui/login/forgotten?"))
        : await browser.submit(page, { login_name: name }, { action: "/ui/login" });
      const form = isCombined ? asked : await browser.open(asked.address.replace("/password?", "/forgotten?"));
      const said = await browser.submit(form, isCombined ? { login_name: name } : {});
      const own = /authRequest=[^"&]*|again=\d+|name="csrf_token" value="[^"]*"|aria-hidden="true">.<\/span>/g;
      const text = said.html.replaceAll(name, "NAME").replaceAll(own, "");
      const fresh = (await all()).filter(({ notificationId }) => !former.has(notificationId));
      return { users: fresh.map(({ userId }) => userId), text };
    };
    for (const layout of ["identifier_first", "combined"] as const) {
      await changeSettings(server, "login", { layout });
      const unknown = await reset("unknown@mail.example");
      assert.deepEqual(unknown.users, []);
      for (const name of [address, "decoy", "vera", sub]) {
        const answer = await reset(name);
        assert.deepEqual(answer.users, [], `${layout}: ${name}`);
        assert.equal(answer.text, unknown.text, "the page says the same as for an unknown name");
      }
      assert.deepEqual((await reset(address, stranger, {})).users, [vera], "without the scope");
      assert.deepEqual((await reset("own@mail.example")).users, [own], "an address that means no other user");
      assert.deepEqual((await reset("decoy@evil.localhost")).users, [decoy], "a name in the organization's domain");
      assert.deepEqual((await reset("vera", ofEvil)).users, [other], "the mailbox of another, at such an application");
      assert.deepEqual((await reset(address, ofEvil)).users, [decoy], "an application of the organization");
    }
  });
});
