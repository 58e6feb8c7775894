import type { LoginPage } from "../../domain/login-text/index.ts";
import { type Html, href, type PageContext } from "../../html/index.ts";
import { errorPage } from "../error/view.ts";
import { chooseAccountPage } from "../login/accounts/view.ts";
import { addFactorPage } from "../login/add-factor/view.ts";
import { consentPage } from "../login/consent/view.ts";
import { externalPage } from "../login/external/view.ts";
import { loginNamePage } from "../login/login-name/view.ts";
import { loggedOutPage } from "../login/logout/done-view.ts";
import { passkeyPage } from "../login/passkey/view.ts";
import { passwordPage } from "../login/password/view.ts";
import { passwordChangePage } from "../login/password-change/view.ts";
import { passwordCodePage } from "../login/password-code/view.ts";
import { registerPage } from "../login/register/view.ts";
import { secondFactorPage } from "../login/second-factor/view.ts";
import { signedInPage } from "../login/signed-in/view.ts";
import { verifyContactPage } from "../login/verify-contact/view.ts";

export interface SampleState {
  /** As the page answers a mistake of the user. */
  readonly hasErrors: boolean;
  /** What completes a login name, where the page says so. */
  readonly suffix: string | undefined;
  readonly at: number;
}

type Draw = (context: PageContext, state: SampleState) => Html;

// A page that is only looked at leads nowhere.
const to = href("#");
const client = { name: "Example", host: "app.example.com" };
const name = "ada@example.com";
const ada = { displayName: "Ada Lovelace", loginName: name, organizationName: "Example" };
const bob = { displayName: "Bob Dobbs", loginName: "bob@example.com", organizationName: "Example" };
const ceremony = { action: to, challengeAction: to };
const rules = { minimumLength: 12, upperCase: false, lowerCase: false, number: false, symbol: false };
const user = { client, loginName: name, changeHref: to };

const firstPage: Draw = (context, { hasErrors, suffix }) =>
  loginNamePage(context, {
    action: to,
    client,
    loginName: "",
    suffix,
    passkey: ceremony,
    registerHref: to,
    providers: [{ id: "1", name: "Example" }],
    providerAction: to,
    ...(hasErrors && { errors: [{ field: "login_name", message: context.say("login_name.missing") }] }),
  });

const pages: Readonly<Record<LoginPage, Draw>> = {
  login_name: firstPage,
  password: (context, { hasErrors }) =>
    passwordPage(context, {
      ...user,
      action: to,
      forgotHref: to,
      passkey: ceremony,
      ...(hasErrors && { errors: [{ field: "password", message: context.say("password.wrong") }] }),
    }),
  code: (context, { hasErrors }) =>
    secondFactorPage(context, {
      ...user,
      kind: "otp_email",
      action: to,
      sent: { action: to, wait: 0, recipient: "a…@example.com" },
      methodsHref: to,
      ...(hasErrors && { errors: [{ field: "code", message: context.say("password.wrong") }] }),
    }),
  new_factor: (context) =>
    addFactorPage(context, {
      ...user,
      step: "choose",
      action: to,
      kinds: ["key", "totp", "otp_email"],
      skipAction: to,
    }),
  passkey: (context, { hasErrors }) =>
    passkeyPage(context, {
      step: "code",
      action: to,
      code: "",
      ...(hasErrors && { errors: [{ field: "code", message: context.say("passkey.unsupported") }] }),
    }),
  accounts: (context) =>
    chooseAccountPage(context, {
      client,
      chooseAction: to,
      removeAction: to,
      otherAccountHref: to,
      accounts: [
        { ...ada, sessionId: "1", isSignedIn: true },
        { ...bob, sessionId: "2", isSignedIn: false },
      ],
    }),
  registration: (context, { hasErrors }) =>
    registerPage(context, {
      action: to,
      client,
      values: {},
      rules,
      isPasskeyOffered: true,
      signInHref: to,
      ...(hasErrors && {
        errors: [
          { field: "email", message: context.say("setup.email_missing") },
          { field: "password", message: context.say("setup.password_missing") },
        ],
      }),
    }),
  email_verification: (context, { hasErrors }) =>
    verifyContactPage(context, {
      outcome: "asked",
      action: to,
      code: "",
      ...(hasErrors && { errors: [{ field: "code", message: context.say("verify_email.text") }] }),
    }),
  password_reset: (context, { hasErrors }) =>
    passwordCodePage(context, {
      outcome: "asked",
      purpose: "password_reset",
      action: to,
      code: "ABC-123",
      rules,
      ...(hasErrors && { errors: [{ field: "new_password", message: context.say("password_change.new_missing") }] }),
    }),
  password_change: (context, { hasErrors }) =>
    passwordChangePage(context, {
      ...user,
      action: to,
      shownName: name,
      rules,
      reason: "temporary",
      ...(hasErrors && {
        errors: [{ field: "current_password", message: context.say("password_change.current_wrong") }],
      }),
    }),
  consent: (context) =>
    consentPage(context, {
      action: to,
      client,
      otherHosts: [],
      account: ada,
      sessionId: "1",
      shown: "1",
      otherAccountHref: to,
      topics: ["identity", "profile", "email", "stay"],
      permissions: [],
      services: [],
    }),
  signed_in: (context) => signedInPage(context, { account: ada, links: { accountHref: to }, signOutHref: to }),
  signed_out: (context) =>
    loggedOutPage(context, {
      ended: [ada],
      remaining: [],
      back: { clientName: client.name, href: to },
      signInHref: to,
    }),
  error: (context, { at }) =>
    errorPage(context, {
      error: "unavailable",
      reference: "371904563122",
      at,
      client,
      button: { to: "start", href: to },
    }),
  provider: (context) =>
    externalPage(context, {
      client,
      providerName: "Example",
      username: name,
      isEmailVerified: true,
      isKnown: false,
      known: { given_name: "Ada", family_name: "Lovelace", email: name },
      values: {},
      registerAction: to,
      linkAction: to,
      otherHref: to,
    }),
  frame: firstPage,
};

/** Draws a page of the login with invented data, by the view that draws the page itself. */
export const samplePage = (page: LoginPage, context: PageContext, state: SampleState): Html =>
  pages[page](context, state);
