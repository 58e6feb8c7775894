import assert from "node:assert/strict";
import type { SignInState } from "../../../src/domain/sign-in/index.ts";
import { addApp } from "../../factor/support.ts";
import { addPerson, type Person } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import type { TestServer } from "../../support/servers/server.ts";
import type { SignInClient } from "../../support/sign-in/sign-in-client.ts";
import type { Fields, ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { appCode } from "../../support/sign-in/totp.ts";
import { enter, type Visitor, visit } from "./sign-in.ts";
import { grace } from "./sign-up.ts";

/** The title of each state's page, with or without a problem. */
export const titles: Readonly<Record<SignInState, RegExp>> = {
  unnamed: /^(Error: )?Sign in/,
  identified: /^(Error: )?Enter your password/,
  second_factor: /^(Error: )?Enter the code from your app/,
  second_factor_setup: /^(Error: )?Protect your account/,
  second_factor_offer: /^(Error: )?Protect your account/,
  change_required: /^(Error: )?Choose a new password/,
  change_expired: /^(Error: )?Choose a new password/,
  sign_up: /^(Error: )?Confirm your email address/,
};

/** A browser at a page of a sign-in. */
export interface Scene {
  readonly browser: TestBrowser;
  readonly authRequestId: string;
  readonly page: ShownPage;
}

/** The page of each state. */
export const pagePath = (state: SignInState): string =>
  ({
    unnamed: "/ui/login",
    identified: "/ui/login/password",
    second_factor: "/ui/login/second-factor",
    second_factor_setup: "/ui/login/add-factor",
    second_factor_offer: "/ui/login/add-factor",
    change_required: "/ui/login/password-change",
    change_expired: "/ui/login/password-change",
    sign_up: "/ui/login/register/confirm",
  })[state];

/** A user who signs in, with the secret of their app if they have one. */
export type Walker = Person & { readonly secret?: string };

/** Makes a user who gets to a state by name and password. */
export async function makePerson(server: TestServer, state: SignInState, username: string): Promise<Walker> {
  const person = await addPerson(server, { username, changeRequired: state === "change_required" });
  if (state === "change_expired") {
    await changeSettings(server, "password_expiry", { maxAgeDays: 1, expireWarnDays: 0 });
    // A few days in all, because sessions that ended long ago are removed.
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

/** Leads a browser to a state. */
export async function reach(
  server: TestServer,
  client: SignInClient,
  state: SignInState,
  person: Person,
): Promise<Scene> {
  const visitor = await visit(server, client, state === "sign_up" ? { prompt: "create" } : {});
  const scene = { browser: visitor.browser, authRequestId: visitor.authRequestId };
  if (state === "unnamed") return { ...scene, page: visitor.page };
  const page = await go(visitor, state, person);
  assert.match(page.title, titles[state]);
  return { ...scene, page };
}

function go(visitor: Visitor, state: SignInState, person: Person): Promise<ShownPage> {
  const { browser, page } = visitor;
  if (state === "identified") return browser.submit(page, { login_name: person.loginName });
  // The address may belong to a user with an account: that changes nothing.
  if (state === "sign_up")
    return browser.submit(page, { ...grace, email: `${person.loginName.split("@")[0]}@mail.example` });
  return enter(visitor, person);
}

/** Sends a form that the page does not have, with the proof that it does have. */
export async function post({ browser, page }: Scene, address: string, fields: Fields): Promise<ShownPage> {
  const values = page.forms[0]?.values.filter(([name]) => name === "csrf_token") ?? [];
  return browser.submit({ ...page, forms: [{ action: address, values }] }, fields);
}
