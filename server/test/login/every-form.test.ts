import assert from "node:assert/strict";
import { test } from "node:test";
import { signInStates } from "../../src/domain/sign-in/index.ts";
import { isLong } from "../support/data/random.ts";
import { addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { addClient, redirectUri } from "../support/sign-in/sign-in-client.ts";
import { signedIn } from "./support/sign-in.ts";
import { makePerson, pagePath, post, reach, titles } from "./support/states.ts";

/** Every field that any form has, filled as by an attacker who knows no password and guesses. */
const everything = {
  login_name: "",
  password: "a wrong guess",
  current_password: "a wrong guess",
  new_password: "an entirely different sentence",
  new_password_repeated: "an entirely different sentence",
  code: "123456",
  kind: "totp",
  by: "totp",
  ticket: "A".repeat(80),
  credential: "{}",
  passkeys: "1",
  kept: "1",
  decision: "link",
  provider: "1",
  user_code: "BCDF-GHJK",
  client_id: "1",
  key_name: "Key",
  email: "thief@mail.example",
  phone: "+41790000000",
  username: "thief",
  given_name: "T",
  family_name: "T",
  display_name: "T",
  nickname: "T",
  language: "de",
  gender: "",
  login_name_again: "thief",
  setup_code: "A",
};

// Actions with a rule of their own: giving another name, choosing an account, postponing the offer, going back to the
// application.
const meant = [
  "/ui/login",
  "/ui/login/add-factor/skip",
  "/ui/login/return",
  "/ui/login/register",
  "/ui/logout",
  "/ui/setup",
];

/** Returns the paths of all pages that take a form, as the server has them. */
const formsOf = ({ app }: TestServer): string[] =>
  app.routes
    .filter(({ protocol, methods, path }) => protocol === "page" && methods.includes("POST") && path.startsWith("/ui/"))
    .map(({ path }) => path)
    .filter((path) => !meant.includes(path));

/** Returns what is stored of a user and of their methods of signing in. */
async function factsOf(server: TestServer, userId: string): Promise<string> {
  const service = "service.user.v2.UserService";
  const { body } = await server.connect(`${service}/GetUserByID`, { userId });
  const { body: methods } = await server.connect(`${service}/ListAuthenticationMethodTypes`, { userId });
  const { details: _, ...user } = body.user;
  return JSON.stringify([user, methods.authMethodTypes]);
}

test("no form of any page leads past the current step, or changes an account (G3)", async (t) => {
  const server = await startServer(t);
  const client = await addClient(server);
  const victim = await addPerson(server, { username: "victim" });
  await signedIn(server, victim);
  const forms = formsOf(server);
  assert.ok(forms.length > 40, forms.join());
  for (const [index, state] of signInStates.entries()) {
    await t.test(state, async () => {
      await changeSettings(server, "login", { forceMfa: false, mfaInitSkipLifetimeSeconds: 0 });
      await changeSettings(server, "password_expiry", { maxAgeDays: 0 });
      const person = await makePerson(server, state, `at-${state.replaceAll("_", "-")}`);
      const scene = await reach(server, client, state, person);
      const before = [await factsOf(server, person.userId), await factsOf(server, victim.userId)];
      const { browser, authRequestId } = scene;
      // The long version asks forms that only lead elsewhere in every state; otherwise they are asked in one of three.
      const chosen = forms.filter(
        (_, position) => isLong() || (position + index) % 3 === 0 || /login/.test(forms[position] ?? ""),
      );
      for (const path of chosen) {
        for (const query of [`authRequest=${authRequestId}`, "", `user=${victim.userId}&code=ABCDEF&id=1&session=1`]) {
          const answer = await post(scene, `${path}?${query}`, everything);
          const told = `${path} in ${state}: ${answer.status} ${answer.address}`;
          assert.ok(answer.status < 500, told);
          assert.ok(!answer.address.startsWith(redirectUri), told);
          // Whatever was sent: a page, with a control to press.
          const isPage = answer.headers.get("content-type")?.startsWith("text/html") === true;
          assert.match(isPage ? answer.html : "<form ", /<form |class="button /, `${told}: a dead end`);
        }
      }
      const resumed = await browser.open(`/oauth/v2/authorize/callback?id=${authRequestId}`);
      assert.match(resumed.address, /^\/ui\/login/, "no code");
      for (const path of ["/ui/login/signed-in", "/ui/account"]) {
        assert.match((await browser.open(path)).address, /^\/ui\/login(?:\?|$)/, "nobody is signed in");
      }
      assert.match((await browser.open(`${pagePath(state)}?authRequest=${authRequestId}`)).title, titles[state]);
      assert.deepEqual([await factsOf(server, person.userId), await factsOf(server, victim.userId)], before);
    });
  }
});
