import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LoginSettings } from "../../src/domain/settings/index.ts";
import { isPossible, type SignInAction, type SignInState, signInStates } from "../../src/domain/sign-in/index.ts";
import { isLong } from "../support/data/random.ts";
import { addPerson, goodPassword, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { addClient, redirectUri } from "../support/sign-in/sign-in-client.ts";
import type { Fields, TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { signedIn } from "./support/sign-in.ts";
import { makePerson, pagePath, post, reach, titles } from "./support/states.ts";

const newPassword = "an entirely different sentence";

interface Sent {
  readonly path: string;
  readonly fields: Fields;
}

/** What each action sends. The victim is another user's session, or everything that could be guessed about the user. */
const forms: Readonly<Record<SignInAction, Sent>> = {
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
  confirm_sign_up: { path: "/ui/login/register/confirm", fields: { code: "ABCDEF" } },
  choose_session: { path: "/ui/login/accounts", fields: { session_id: "SESSION" } },
  continue_session: { path: "/ui/login/continue", fields: {} },
  remove_session: { path: "/ui/login/accounts/remove", fields: { session_id: "SESSION" } },
};

/**
 * What the first page takes besides, where it asks for name and password at once (`layout`): from every state, as for a
 * name alone.
 */
const combined = {
  enter_both_wrong: { path: "/ui/login", fields: { login_name: "NAME", password: "a wrong guess" } },
  enter_both: { path: "/ui/login", fields: { login_name: "NAME", password: goodPassword } },
} as const satisfies Readonly<Record<string, Sent>>;

/** What the layout changes: the fields of the first page, and of the page that it makes superfluous. */
const ofCombined = (): Readonly<Partial<Record<Action, Sent>>> => {
  const { enter_name, enter_password } = forms;
  return isLong() ? { ...forms, ...combined } : { enter_name, enter_password, ...combined };
};

type Action = SignInAction | keyof typeof combined;
const isOfBoth = (action: Action): action is keyof typeof combined => Object.hasOwn(combined, action);

/** States of a user who is asked for name and password only. */
const askNothingElse: readonly SignInState[] = ["unnamed", "identified", "sign_up"];

/** Whether the action completes the sign-in: a password beside the name does so where nothing else is asked for. */
const ends = (action: Action, state: SignInState): boolean =>
  isOfBoth(action)
    ? action === "enter_both" && askNothingElse.includes(state)
    : isPossible(action, state) && proofs.includes(action);

/** Returns the state after an action that does not complete the sign-in. */
function stateAfter(action: Action, state: SignInState): SignInState {
  if (action === "enter_both") return state;
  return action === "enter_name" || action === "enter_both_wrong" ? "identified" : state;
}

/** Returns the action that completes the sign-in, where it is possible. */
const proofs: readonly SignInAction[] = [
  "enter_password",
  "prove_second_factor",
  "skip_second_factor",
  "replace_password",
];

/** Sends everything from a state, each action as another user. */
function testTable(start: Start, state: SignInState, layout: LoginSettings["layout"]): void {
  const where = layout === "combined" ? ", where name and password are asked for at once" : "";
  test(`from "${state}" a browser gets no further than its step allows, whatever it sends${where}`, async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { layout });
    const client = await addClient(server);
    const victim = await addPerson(server, { username: "victim" });
    const foreignSession = await sessionIdOf(server, await signedIn(server, victim));
    let count = 0;
    const table: Readonly<Partial<Record<Action, Sent>>> = layout === "combined" ? ofCombined() : forms;
    for (const [action, { path, fields }] of Object.entries(table) as [Action, Sent][]) {
      const person = await makePerson(server, state, `person${++count}`);
      const scene = await reach(server, client, state, person);
      const code = person.secret === undefined ? "123456" : appCode(person.secret, server.clock.now);
      const meant: Readonly<Record<string, string>> = { SESSION: foreignSession, TOTP: code, NAME: person.loginName };
      const filled = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, meant[String(value)] ?? value]),
      );
      const answer = await post(scene, `${path}?authRequest=${scene.authRequestId}`, filled);
      const label = `${action} in ${state}: ${answer.address} ${answer.title}`;
      assert.ok(answer.status < 500, label);
      const isBack = answer.address.startsWith(redirectUri);
      const arrives = ends(action, state);
      assert.equal(isBack, arrives, label);
      const isSignedIn = (await scene.browser.open("/ui/login/signed-in")).address === "/ui/login/signed-in";
      assert.equal(isSignedIn, arrives, label);
      if (!arrives) {
        const resumed = await scene.browser.open(`/oauth/v2/authorize/callback?id=${scene.authRequestId}`);
        assert.match(resumed.address, /^\/ui\/login\?/, `${label}: no code`);
      }
      const expected = stateAfter(action, state);
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
}

describe("name and password on one page", () => {
  // What a layout changes is asked of pages; that rows are the same on both engines is asked above.
  for (const state of signInStates) testTable(startServer, state, "combined");
});

serversInTurn((start, test) => {
  for (const state of signInStates) {
    testTable(start, state, "identifier_first");

    test(`in "${state}" an empty form and the next step's fields change nothing`, async (t) => {
      const server = await start(t);
      const client = await addClient(server);
      const person = await makePerson(server, state, "person");
      const scene = await reach(server, client, state, person);
      const all = { login_name: "", password: "", current_password: "", new_password: "", session_id: "" };
      for (const fields of [{}, all]) {
        for (const { path } of Object.values(forms)) {
          // Postponing an offer takes nothing but the button.
          if (path === "/ui/login" || (path.endsWith("/skip") && isPossible("skip_second_factor", state))) continue;
          const answer = await post(scene, `${path}?authRequest=${scene.authRequestId}`, fields);
          assert.ok(!answer.address.startsWith(redirectUri), path);
          const now = await scene.browser.open(`${pagePath(state)}?authRequest=${scene.authRequestId}`);
          assert.match(now.title, titles[state], path);
        }
      }
    });
  }

  test("an attempt that a password started ends when the password is replaced", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const states = ["second_factor", "second_factor_setup", "second_factor_offer", "change_required"] as const;
    for (const state of states) {
      await changeSettings(server, "login", { forceMfa: false, mfaInitSkipLifetimeSeconds: 0 });
      const person = await makePerson(server, state, `r-${state.replaceAll("_", "-")}`);
      const scene = await reach(server, client, state, person);
      server.clock.now += 1000;
      const set = { userId: person.userId, newPassword: { password: newPassword } };
      assert.equal((await server.connect("service.user.v2.UserService/SetPassword", set)).status, 200);
      const code = person.secret === undefined ? "" : appCode(person.secret, server.clock.now);
      const actions: readonly (readonly [path: string, fields: Fields])[] = [
        ["/ui/login/second-factor", { by: "totp", code }],
        ["/ui/login/add-factor", { kind: "totp" }],
        ["/ui/login/add-factor", { kind: "otp_email" }],
        ["/ui/login/add-factor/code", { kind: "otp_email", code: "12345678" }],
        ["/ui/login/add-factor/skip", {}],
      ];
      for (const [path, fields] of actions) {
        const answer = await post(scene, `${path}?authRequest=${scene.authRequestId}`, fields);
        assert.match(answer.title, titles.unnamed, `${path} in ${state}`);
      }
      const { body } = await server.rest("GET", `/v2/users/${person.userId}/authentication_methods`);
      const expected = state === "second_factor" ? 2 : 1;
      assert.equal(body.authMethodTypes.length, expected, `${state}: nothing was added`);
    }
  });

  test("every step leads there only from the step before: the pages of later steps show the present one", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    for (const state of signInStates) {
      await changeSettings(server, "login", { forceMfa: false, mfaInitSkipLifetimeSeconds: 0 });
      const person = await makePerson(server, state, `p-${state.replaceAll("_", "-")}`);
      const scene = await reach(server, client, state, person);
      const pages = [
        "password",
        "second-factor",
        "methods",
        "add-factor",
        "add-factor/code",
        "password-change",
        "continue",
      ];
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
