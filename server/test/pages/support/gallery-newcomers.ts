import * as views from "../../../src/pages/login/index.ts";
import { client, long, longClient, rules, strictRules, to } from "./gallery-values.ts";
import { type GalleryView, ofView } from "./gallery-view.ts";

const register = { action: to, signInHref: to, rules };
const registerConfirm = { action: to, changeHref: to, resend: { action: to, wait: 0 }, signInHref: to };

const registerView = ofView("register", views.registerPage);
const registerConfirmView = ofView("register-confirm", views.registerConfirmPage);
const verifyEmailView = ofView("verify-email", views.verifyContactPage);
const passwordCodeView = ofView("password-code", views.passwordCodePage);
const passkeyView = ofView("passkey", views.passkeyPage);

/**
 * What people see who register or were registered: the codes and links that they get, and their first password or
 * passkey.
 */
export const newcomerViews: readonly GalleryView[] = [
  registerView("default", () => ({ ...register, client, values: {}, isPasskeyOffered: true })),
  registerView("asked", () => ({ ...register, client, values: {}, organizationName: long.organizationName })),
  registerView("error", (c) => ({
    ...register,
    client,
    values: { given_name: "Ada", email: "ada@" },
    errors: [
      { field: "family_name", message: c.say("setup.family_name_missing") },
      { field: "email", message: c.say("setup.email_missing") },
      { field: "password", message: c.say("setup.password_missing") },
    ],
  })),
  registerView("long", () => ({
    ...register,
    client: longClient,
    rules: strictRules,
    values: { given_name: "Maximiliane", family_name: "Freifrau von und zu Hohenstein", email: long.loginName },
  })),
  registerConfirmView("default", () => ({
    step: "asked",
    ...registerConfirm,
    client,
    address: "ada@acme.example",
    code: "",
  })),
  registerConfirmView("error", (c) => ({
    step: "asked",
    ...registerConfirm,
    client: longClient,
    address: long.loginName,
    code: "",
    errors: [{ field: "code", message: c.say("verify_email.text") }],
  })),
  registerConfirmView("sent", () => ({
    step: "asked",
    ...registerConfirm,
    client,
    address: "ada@acme.example",
    code: "",
    isSentAgain: true,
    resend: { action: to, wait: 23_000 },
  })),
  registerConfirmView("elsewhere", () => ({ step: "elsewhere", registerHref: to, signInHref: to })),
  passwordCodeView("default", () => ({
    outcome: "asked",
    purpose: "initialization",
    action: to,
    code: "QX74TD",
    rules,
  })),
  passwordCodeView("error", (c) => ({
    outcome: "asked",
    purpose: "password_reset",
    action: to,
    code: "QX74TD",
    rules,
    errors: [
      { field: "code", message: c.say("verify_email.text") },
      { field: "new_password", message: c.say("password_change.new_missing") },
    ],
  })),
  passwordCodeView("done", () => ({ outcome: "done", signInHref: to })),
  passkeyView("default", () => ({ step: "code", action: to, code: "QX74TDQX74TD" })),
  passkeyView("error", (c) => ({
    step: "code",
    action: to,
    code: "",
    errors: [{ field: "code", message: c.say("passkey.unsupported") }],
  })),
  passkeyView("create", () => ({
    step: "create",
    action: to,
    ticket: "sealed",
    options: '{"publicKey":{"excludeCredentials":[]}}',
  })),
  passkeyView("done", () => ({ step: "done", signInHref: to })),
  verifyEmailView("default", () => ({ outcome: "asked", action: to, code: "" })),
  verifyEmailView("error", (c) => ({
    outcome: "asked",
    action: to,
    code: "QX74TD",
    errors: [{ field: "code", message: c.say("verify_email.text") }],
  })),
  verifyEmailView("done", () => ({ outcome: "verified", startHref: to })),
];
