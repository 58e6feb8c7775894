import * as views from "../../../src/pages/account/index.ts";
import { form, frame, longFrame, to } from "./gallery-account-frame.ts";
import { ada, at, long } from "./gallery-values.ts";
import { type GalleryView, ofView } from "./gallery-view.ts";

const rules = { minimumLength: 12, upperCase: true, lowerCase: true, number: true, symbol: true };

const methodsView = ofView("account-methods", views.methodsPage);
const passwordView = ofView("account-password", views.accountPasswordPage);
const linkView = ofView("account-link", views.accountLinkPage);
const confirmView = ofView("account-confirm", views.confirmPage);
const keyView = ofView("account-key", views.accountKeyPage);
const totpView = ofView("account-totp", views.accountTotpPage);
const otpView = ofView("account-otp", views.accountOtpPage);
const recoveryView = ofView("account-recovery-codes", views.accountRecoveryCodesPage);

const methods = {
  ...frame,
  part: "methods",
  passkeys: [],
  securityKeys: [],
  codes: [],
  links: [],
  linkable: [],
} as const;
const key = (name: string) => ({ name, createdAt: at, removeHref: to });
const keyOptions = JSON.stringify({ publicKey: { challenge: "AAAA", user: { id: "AAAA" }, excludeCredentials: [] } });
const totp = {
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/acme.example:ada%40acme.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=acme.example&algorithm=SHA1&digits=6&period=30",
};
const codes = Array.from({ length: 10 }, (_, index) => `ABCD-EFGH-JKLM-NP${String(index + 20)}`);

/** What people sign in with, as the account lets them change it. */
export const accountMethodViews: readonly GalleryView[] = [
  methodsView("default", () => ({
    ...methods,
    addPasskeyHref: to,
    addSecurityKeyHref: to,
    password: { isSet: true, changedAt: at, href: to },
    codes: [
      { kind: "totp", isOn: false, addHref: to },
      { kind: "otp_email", isOn: true, recipient: "ada@acme.example", removeHref: to },
      { kind: "otp_sms", isOn: false },
    ],
    recovery: { left: 0, href: to },
    linkable: [
      { provider: "Google", href: to },
      { provider: "GitHub", href: to },
    ],
  })),
  methodsView("long", () => ({
    ...methods,
    ...longFrame,
    part: "methods",
    addPasskeyHref: to,
    news: "method_added",
    passkeys: [key("Phone"), key(long.displayName), ...Array.from({ length: 4 }, (_, n) => key(`Passkey ${n}`))],
    securityKeys: [key("Key"), key("Büro")],
    password: { isSet: false, href: to },
    recovery: { left: 7, href: to, removeHref: to },
    links: [{ provider: long.organizationName, username: long.loginName, removeHref: to }],
    linkable: [{ provider: long.organizationName, href: to }],
  })),
  passwordView("default", () => ({
    ...frame,
    ...form,
    part: "methods",
    loginName: ada.loginName,
    hasPassword: true,
    rules,
  })),
  passwordView("first", () => ({
    ...frame,
    ...form,
    part: "methods",
    loginName: ada.loginName,
    hasPassword: false,
    rules,
  })),
  passwordView("error", (context) => ({
    ...frame,
    ...form,
    part: "methods",
    loginName: ada.loginName,
    hasPassword: true,
    rules,
    errors: [
      { field: "current_password", message: context.say("password_change.current_wrong") },
      { field: "new_password", message: context.say("password_change.new_missing") },
    ],
  })),
  confirmView("default", (context) => ({
    ...frame,
    ...form,
    part: "methods",
    title: context.say("account.remove.title", { name: "Phone" }),
    text: context.say("account.remove.text"),
    submit: context.say("account.remove"),
  })),
  confirmView("error", (context) => ({
    ...frame,
    ...form,
    part: "methods",
    title: context.say("account.remove.title", { name: long.organizationName }),
    text: context.say("account.remove.text"),
    submit: context.say("account.remove"),
    errors: [{ message: context.say("password.missing") }],
  })),
  linkView("default", () => ({
    ...frame,
    ...form,
    part: "methods",
    providerName: "Google",
    username: "ada@gmail.example",
  })),
  keyView("default", () => ({ ...frame, ...form, part: "methods", kind: "passkey", step: "start" })),
  keyView("create", () => ({
    ...frame,
    ...form,
    part: "methods",
    kind: "u2f",
    step: "create",
    options: keyOptions,
    ticket: "v1.x",
    name: "",
  })),
  keyView("error", (context) => ({
    ...frame,
    ...form,
    part: "methods",
    kind: "u2f",
    step: "start",
    errors: [{ message: context.say("account.key.unsupported") }],
  })),
  totpView("default", () => ({ ...frame, ...form, part: "methods", step: "start" })),
  totpView("confirm", () => ({ ...frame, ...form, part: "methods", step: "confirm", secret: totp, ticket: "v1.x" })),
  totpView("error", (context) => ({
    ...frame,
    ...form,
    part: "methods",
    step: "confirm",
    secret: totp,
    ticket: "v1.x",
    errors: [{ field: "code", message: context.say("setup.code_wrong") }],
  })),
  otpView("default", () => ({
    ...frame,
    ...form,
    part: "methods",
    kind: "otp_email",
    step: "start",
    recipient: "ada@acme.example",
  })),
  otpView("refused", (context) => ({
    ...frame,
    ...form,
    part: "methods",
    kind: "otp_sms",
    step: "start",
    errors: [{ message: context.say("account.factor.otp_sms_needs") }],
  })),
  otpView("code", () => ({
    ...longFrame,
    ...form,
    part: "methods",
    kind: "otp_email",
    step: "code",
    recipient: long.loginName,
    resend: { action: to, wait: 12_000 },
    news: "code_sent",
  })),
  otpView("error", (context) => ({
    ...frame,
    ...form,
    part: "methods",
    kind: "otp_sms",
    step: "code",
    recipient: "+41791234567",
    resend: { action: to, wait: 0 },
    errors: [{ field: "code", message: context.say("setup.code_wrong") }],
  })),
  recoveryView("default", () => ({ ...frame, ...form, part: "methods", step: "start", left: 3 })),
  recoveryView("codes", () => ({ ...frame, ...form, part: "methods", step: "keep", codes, ticket: "v1.x" })),
  recoveryView("error", (context) => ({
    ...frame,
    ...form,
    part: "methods",
    step: "keep",
    codes,
    ticket: "v1.x",
    errors: [{ field: "kept", message: context.say("account.recovery.keep_first") }],
  })),
];
