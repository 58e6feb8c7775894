import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isPossible,
  type SignInAction,
  type SignInState,
  signInActions,
  signInStates,
} from "../../src/domain/sign-in/index.ts";
import { addApp } from "../factor/support.ts";
import { changeSettings } from "../support/change-settings.ts";
import { eachServer } from "../support/each-server.ts";
import { addPerson, goodPassword, type Person } from "../support/people.ts";
import type { TestServer } from "../support/server.ts";
import { addClient, redirectUri, type SignInClient } from "../support/sign-in-client.ts";
import type { Fields, ShownPage, TestBrowser } from "../support/test-browser.ts";
import { appCode } from "../support/totp.ts";
import { enter, signedIn, visit } from "./support/sign-in.ts";

const titles: Readonly<Record<SignInState, RegExp>> = {
  unnamed: /^(Error: )?Sign in/,
  identified: /^(Error: )?Enter your password/,
  second_factor: /^(Error: )?Enter the code of your app/,
  second_factor_setup: /^(Error: )?Protect your account/,
  second_factor_offer: /^(Error: )?Protect your account/,
  change_required: /^(Error: )?Choose a new password/,
  change_expired: /^(Error: )?Choose a new password/,
};

const newPassword = "an entirely different sentence";

/** What each action sends. The victim is somebody else's session, or everything that could be guessed about the person. */
const forms: Readonly<Record<SignInAction, { readonly path: string; readonly fields: Fields }>> = {
  enter_name: { path: "/ui/login", fields: { login_name: "ada" } },
  enter_password: { path: "/ui/login/password", fields: { password: goodPassword } },
  forget_password: { path: "/ui/login/forgotten", fields: {} },
  use_passkey: { path: "/ui/login/key", fields: { credential: "{}" } },
  prove_second_factor: { path: "/ui/login/second-factor", fields: { by: "totp", code: "TOTP" } },
  set_up_second_factor: { path: "/ui/login/add-factor", fields: { kind: "totp" } },
  skip_second_factor: { path: "/ui/login/add-factor/skip", fields: {} },
  replace_password: {
    path: "/ui/login/password-change",
    fields: { current_password: goodPassword, new_password: newPassword },
  },
  choose_session: { path: "/ui/login/accounts", fields: { session_id: "SESSION" } },
  continue_session: { path: "/ui/login/continue", fields: {} },
  remove_session: { path: "/ui/login/accounts/remove", fields: { session_id: "SESSION" } },
};

/** What ends the way where it is possible. */
const proofs: readonly SignInAction[] = [
  "enter_password",
  "prove_second_factor",
  "skip_second_factor",
  "replace_password",
];

interface Scene {
  readonly browser: TestBrowser;
  readonly authRequestId: string;
  readonly page: ShownPage;
}

eachServer((start) => {
  for (const state of signInStates) {
    test(`from "${state}" a browser gets no further than its step allows, whatever it sends`, async (t) => {
      const server = await start(t);
      const client = await addClient(server);
      const victim = await addPerson(server, { username: "victim" });
      const foreignSession = await sessionIdOf(server, await signedIn(server, victim));
      let count = 0;
      for (const action of Object.keys(signInActions) as SignInAction[]) {
        const person = await makePerson(server, state, `person${++count}`);
        const scene = await reach(server, client, state, person);
        const { path, fields } = forms[action];
        const code = person.secret === undefined ? "123456" : appCode(person.secret, server.clock.now);
        const meant: Readonly<Record<string, string>> = { SESSION: foreignSession, TOTP: code };
        const filled = Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [name, meant[String(value)] ?? value]),
        );
        const answer = await post(scene, `${path}?authRequest=${scene.authRequestId}`, filled);
        const label = `${action} in ${state}: ${answer.address} ${answer.title}`;
        assert.ok(answer.status < 500, label);
        const isBack = answer.address.startsWith(redirectUri);
        const arrives = isPossible(action, state) && proofs.includes(action);
        assert.equal(isBack, arrives, label);
        const isSignedIn = (await scene.browser.open("/ui/login/signed-in")).address === "/ui/login/signed-in";
        assert.equal(isSignedIn, arrives, label);
        if (!arrives) {
          const resumed = await scene.browser.open(`/oauth/v2/authorize/callback?id=${scene.authRequestId}`);
          assert.match(resumed.address, /^\/ui\/login\?/, `${label}: no code`);
        }
        const expected = action === "enter_name" ? "identified" : state;
        if (!arrives) {
          const now = await scene.browser.open(`${pagePath(expected)}?authRequest=${scene.authRequestId}`);
          assert.match(now.title, titles[expected], `${label}: still at its step`);
        }
        assert.equal(
          await passwordOf(server, person),
          arrives && action === "replace_password" ? newPassword : goodPassword,
        );
        assert.equal(
          (await server.rest("GET", `/v2/sessions/${foreignSession}`)).status,
          200,
          `${label}: the session of another browser lives`,
        );
      }
    });

    test(`in "${state}" an empty form and the next step's fields change nothing`, async (t) => {
      const server = await start(t);
      const client = await addClient(server);
      const person = await makePerson(server, state, "person");
      const scene = await reach(server, client, state, person);
      const all = { login_name: "", password: "", current_password: "", new_password: "", session_id: "" };
      for (const fields of [{}, all]) {
        for (const { path } of Object.values(forms)) {
          // Leaving an offer for later takes nothing but the button.
          if (path === "/ui/login" || (path.endsWith("/skip") && isPossible("skip_second_factor", state))) continue;
          const answer = await post(scene, `${path}?authRequest=${scene.authRequestId}`, fields);
          assert.ok(!answer.address.startsWith(redirectUri), path);
          const now = await scene.browser.open(`${pagePath(state)}?authRequest=${scene.authRequestId}`);
          assert.match(now.title, titles[state], path);
        }
      }
    });
  }

  test("every step leads there only from the step before: the pages of later steps show the present one", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    for (const state of signInStates) {
      await changeSettings(server, "login", { forceMfa: false, mfaInitSkipLifetimeSeconds: 0 });
      const person = await makePerson(server, state, `p-${state.replaceAll("_", "-")}`);
      const scene = await reach(server, client, state, person);
      const pages = ["password", "second-factor", "methods", "add-factor", "password-change", "continue"];
      for (const path of pages.map((name) => `/ui/login/${name}`)) {
        if (path === "/ui/login/methods" && state === "second_factor") continue;
        if (path === "/ui/login/continue" && state !== "unnamed") continue;
        const shown = await scene.browser.open(`${path}?authRequest=${scene.authRequestId}`);
        const expected = path === "/ui/login/continue" ? titles.unnamed : titles[state];
        assert.match(shown.title, expected, `${path} in ${state}`);
      }
    }
  });
});

const pagePath = (state: SignInState): string =>
  ({
    unnamed: "/ui/login",
    identified: "/ui/login/password",
    second_factor: "/ui/login/second-factor",
    second_factor_setup: "/ui/login/add-factor",
    second_factor_offer: "/ui/login/add-factor",
    change_required: "/ui/login/password-change",
    change_expired: "/ui/login/password-change",
  })[state];

type Walker = Person & { readonly secret?: string };

async function makePerson(server: TestServer, state: SignInState, username: string): Promise<Walker> {
  const person = await addPerson(server, { username, changeRequired: state === "change_required" });
  if (state === "change_expired") {
    await changeSettings(server, "password_expiry", { maxAgeDays: 1, expireWarnDays: 0 });
    // A few days in all, because sessions that have been over for long are removed.
    server.clock.now += 2 * 86_400_000;
  }
  if (state === "second_factor_setup") await changeSettings(server, "login", { forceMfa: true });
  if (state === "second_factor_offer") await changeSettings(server, "login", { mfaInitSkipLifetimeSeconds: 3600 });
  if (state === "second_factor") {
    const secret = await addApp(server, person, (made) => appCode(made, server.clock.now));
    return { ...person, secret };
  }
  return person;
}

async function reach(server: TestServer, client: SignInClient, state: SignInState, person: Person): Promise<Scene> {
  const visitor = await visit(server, client);
  const scene = { browser: visitor.browser, authRequestId: visitor.authRequestId };
  if (state === "unnamed") return { ...scene, page: visitor.page };
  const page =
    state === "identified"
      ? await visitor.browser.submit(visitor.page, { login_name: person.loginName })
      : await enter(visitor, person);
  assert.match(page.title, titles[state]);
  return { ...scene, page };
}

/** Sends a form that the page does not have, with the proof that it does have. */
async function post({ browser, page }: Scene, address: string, fields: Fields): Promise<ShownPage> {
  const values = page.forms[0]?.values.filter(([name]) => name === "csrf_token") ?? [];
  return browser.submit({ ...page, forms: [{ action: address, values }] }, fields);
}

async function sessionIdOf(server: TestServer, browser: TestBrowser): Promise<string> {
  const page = await browser.open("/ui/login/accounts");
  const [, id = ""] = /name="session_id" value="([^"]*)"/.exec(page.html) ?? [];
  assert.ok(id, page.html);
  assert.ok(server);
  return id;
}

async function passwordOf(server: TestServer, { userId }: Person): Promise<string | undefined> {
  for (const password of [goodPassword, newPassword]) {
    const { status } = await server.rest("POST", "/v2/sessions", {
      body: { checks: { user: { userId }, password: { password } } },
    });
    if (status === 201) return password;
  }
  return undefined;
}
