import * as views from "../../../src/pages/account/index.ts";
import { href } from "../../../src/pages/html/index.ts";
import { scopeTopics } from "../../../src/pages/login/index.ts";
import { galleryAvatar } from "./gallery-avatar.ts";
import { type GalleryView, ofView } from "./gallery-view.ts";

const to = href("/ui/account");
const at = Date.UTC(2026, 10, 21, 14, 5);
const ada = { displayName: "Ada Lovelace", loginName: "ada@acme.example", organizationName: "Acme" };
const long = {
  displayName: "Maximiliane Freifrau von und zu Hohenstein-Wolkenburg",
  loginName: "maximiliane.freifrau.von.und.zu.hohenstein@vertrieb.niederrheinische-verkehrsgesellschaft.example",
  organizationName: "Niederrheinische Verkehrsgesellschaft mbH, Abteilung Kundenzufriedenheit",
};
const hrefs = Object.fromEntries(views.accountParts.map((part) => [part, to])) as Record<
  (typeof views.accountParts)[number],
  typeof to
>;
const frame = { account: ada, part: "home", hrefs, others: [], otherAccountHref: to, signOutHref: to } as const;
const longFrame = {
  ...frame,
  account: long,
  others: [
    { ...ada, href: to },
    { ...long, href: to },
  ],
} as const;
const form = { action: to, backHref: to };
const rules = { minimumLength: 12, upperCase: true, lowerCase: true, number: true, symbol: true };
const noPages = {};

const homeView = ofView("account-home", views.accountHomePage);
const profileView = ofView("account-profile", views.profilePage);
const contactView = ofView("account-contact", views.contactPage);
const usernameView = ofView("account-username", views.usernamePage);
const methodsView = ofView("account-methods", views.methodsPage);
const passwordView = ofView("account-password", views.accountPasswordPage);
const linkView = ofView("account-link", views.accountLinkPage);
const confirmView = ofView("account-confirm", views.confirmPage);
const keyView = ofView("account-key", views.accountKeyPage);
const totpView = ofView("account-totp", views.accountTotpPage);
const otpView = ofView("account-otp", views.accountOtpPage);
const recoveryView = ofView("account-recovery-codes", views.accountRecoveryCodesPage);
const sessionsView = ofView("account-sessions", views.sessionsPage);
const applicationsView = ofView("account-applications", views.applicationsPage);
const activityView = ofView("account-activity", views.activityPage);
const notMeView = ofView("account-not-me", views.notMePage);
const dataView = ofView("account-data", views.dataPage);
const deleteView = ofView("account-delete", views.deleteAccountPage);
const deletedView = ofView("account-deleted", views.accountDeletedPage);

const profile = {
  part: "profile",
  ...{
    account: ada,
    hrefs,
    others: [],
    otherAccountHref: to,
    signOutHref: to,
    action: to,
    usernameHref: to,
    username: "ada",
    loginNames: ["ada@acme.example"],
  },
  values: {
    given_name: "Ada",
    family_name: "Lovelace",
    display_name: "Ada Lovelace",
    nickname: "",
    language: "de",
    gender: "female",
  },
  languages: [
    { tag: "de", name: "Deutsch" },
    { tag: "en", name: "English" },
    { tag: "ar", name: "العربية" },
  ],
  email: { value: "ada@acme.example", isVerified: true, changeHref: to },
  phone: { value: "+41791234567", isVerified: true, changeHref: to },
  picture: { saveAction: to, largest: 512 * 1024 },
} as const;
const pictured = { ...ada, avatarFile: galleryAvatar };

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
const session = { sessionId: "1", createdAt: at, changedAt: at, isCurrent: false, isExpired: false };
const sessions = { ...frame, part: "sessions", endAction: to, endOthersAction: to } as const;

/** The pages of the account in their states. */
export const accountViews: readonly GalleryView[] = [
  homeView("default", () => ({ ...frame, level: "password", suggestion: { kind: "add_passkey", href: to } })),
  homeView("long", () => ({ ...longFrame, level: "passkey" })),
  profileView("default", () => profile),
  profileView("long", () => ({
    ...{ ...profile, ...longFrame, part: "profile", news: "profile_saved", username: long.loginName },
    loginNames: [long.loginName, `${long.loginName}.niederrhein.example`],
    email: { value: long.loginName, isVerified: false, changeHref: to, verifyHref: to },
    phone: { value: "+41791234567", isVerified: false, changeHref: to, verifyHref: to },
  })),
  profileView("picture", () => ({
    ...{ ...profile, account: pictured, news: "picture_saved" },
    picture: { ...profile.picture, removeAction: to },
  })),
  profileView("refused", (context) => ({
    ...profile,
    errors: [{ field: "picture", message: context.say("account.profile.picture_missing") }],
  })),
  profileView("error", (context) => ({
    ...profile,
    values: { ...profile.values, given_name: "" },
    errors: [{ field: "given_name", message: context.say("setup.given_name_missing") }],
  })),
  contactView("default", () => ({
    ...frame,
    ...form,
    part: "profile",
    kind: "email",
    step: "value",
    value: "ada@acme.example",
  })),
  contactView("phone", () => ({
    ...{ ...frame, ...form, part: "profile", kind: "phone", step: "value", value: "+41791234567", removeAction: to },
  })),
  contactView("code", () => ({
    ...{
      ...longFrame,
      ...form,
      part: "profile",
      kind: "email",
      step: "code",
      ...{ resendAction: to, wait: 12_000 },
      recipient: long.loginName,
    },
    news: "code_sent",
  })),
  contactView("error", (context) => ({
    ...{
      ...frame,
      ...form,
      part: "profile",
      kind: "phone",
      step: "code",
      resendAction: to,
      wait: 0,
      recipient: "+41791234567",
    },
    errors: [{ field: "code", message: context.say("setup.code_wrong") }],
  })),
  usernameView("default", () => ({ ...frame, ...form, part: "profile", username: "ada" })),
  usernameView("error", (context) => ({
    ...{ ...frame, ...form, part: "profile", username: "" },
    errors: [{ field: "username", message: context.say("setup.username_missing") }],
  })),
  methodsView("default", () => ({
    ...{ ...methods, addPasskeyHref: to, addSecurityKeyHref: to },
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
    ...{ ...methods, ...longFrame, part: "methods", addPasskeyHref: to, news: "method_added" },
    passkeys: [key("Phone"), key(long.displayName), ...Array.from({ length: 4 }, (_, n) => key(`Passkey ${n}`))],
    securityKeys: [key("Key"), key("Büro")],
    password: { isSet: false, href: to },
    recovery: { left: 7, href: to, removeHref: to },
    links: [{ provider: long.organizationName, username: long.loginName, removeHref: to }],
    linkable: [{ provider: long.organizationName, href: to }],
  })),
  passwordView("default", () => ({
    ...{ ...frame, ...form, part: "methods", loginName: ada.loginName, hasPassword: true, rules },
  })),
  passwordView("first", () => ({
    ...{ ...frame, ...form, part: "methods", loginName: ada.loginName, hasPassword: false, rules },
  })),
  passwordView("error", (context) => ({
    ...{ ...frame, ...form, part: "methods", loginName: ada.loginName, hasPassword: true, rules },
    errors: [
      { field: "current_password", message: context.say("password_change.current_wrong") },
      { field: "new_password", message: context.say("password_change.new_missing") },
    ],
  })),
  confirmView("default", (context) => ({
    ...{ ...frame, ...form, part: "methods", title: context.say("account.remove.title", { name: "Phone" }) },
    ...{ text: context.say("account.remove.text"), submit: context.say("account.remove") },
  })),
  confirmView("error", (context) => ({
    ...{
      ...frame,
      ...form,
      part: "methods",
      title: context.say("account.remove.title", { name: long.organizationName }),
    },
    ...{ text: context.say("account.remove.text"), submit: context.say("account.remove") },
    errors: [{ message: context.say("password.missing") }],
  })),
  linkView("default", () => ({
    ...{ ...frame, ...form, part: "methods", providerName: "Google", username: "ada@gmail.example" },
  })),
  keyView("default", () => ({ ...frame, ...form, part: "methods", kind: "passkey", step: "start" })),
  keyView("create", () => ({
    ...{ ...frame, ...form, part: "methods", kind: "u2f", step: "create", options: keyOptions, ticket: "v1.x" },
  })),
  keyView("error", (context) => ({
    ...{ ...frame, ...form, part: "methods", kind: "u2f", step: "start" },
    errors: [{ message: context.say("account.key.unsupported") }],
  })),
  totpView("default", () => ({ ...frame, ...form, part: "methods", step: "start" })),
  totpView("confirm", () => ({ ...frame, ...form, part: "methods", step: "confirm", secret: totp, ticket: "v1.x" })),
  totpView("error", (context) => ({
    ...{ ...frame, ...form, part: "methods", step: "confirm", secret: totp, ticket: "v1.x" },
    errors: [{ field: "code", message: context.say("setup.code_wrong") }],
  })),
  otpView("default", () => ({
    ...{ ...frame, ...form, part: "methods", kind: "otp_email", step: "start", recipient: "ada@acme.example" },
  })),
  otpView("refused", (context) => ({
    ...{ ...frame, ...form, part: "methods", kind: "otp_sms", step: "start" },
    errors: [{ message: context.say("account.factor.otp_sms_needs") }],
  })),
  otpView("code", () => ({
    ...{ ...longFrame, ...form, part: "methods", kind: "otp_email", step: "code", recipient: long.loginName },
    ...{ resend: { action: to, wait: 12_000 }, news: "code_sent" },
  })),
  otpView("error", (context) => ({
    ...{ ...frame, ...form, part: "methods", kind: "otp_sms", step: "code", recipient: "+41791234567" },
    resend: { action: to, wait: 0 },
    errors: [{ field: "code", message: context.say("setup.code_wrong") }],
  })),
  recoveryView("default", () => ({ ...frame, ...form, part: "methods", step: "start", left: 3 })),
  recoveryView("codes", () => ({ ...frame, ...form, part: "methods", step: "keep", codes, ticket: "v1.x" })),
  recoveryView("error", (context) => ({
    ...{ ...frame, ...form, part: "methods", step: "keep", codes, ticket: "v1.x" },
    errors: [{ field: "kept", message: context.say("account.recovery.keep_first") }],
  })),
  sessionsView("default", () => ({
    ...{ ...sessions, hasOthers: true, pager: noPages },
    sessions: [
      { ...session, browser: "Firefox", system: "Linux", address: "192.0.2.17", isCurrent: true },
      { ...session, sessionId: "2", browser: "Safari", system: "iPhone", address: "2001:db8::1", changedAt: at + 1 },
    ],
  })),
  sessionsView("long", () => ({
    ...{ ...sessions, ...longFrame, part: "sessions", hasOthers: true, pager: { newerHref: to, olderHref: to } },
    news: "session_ended",
    sessions: Array.from({ length: 20 }, (_, n) => ({
      ...{ ...session, sessionId: String(n), createdAt: at - n, isExpired: n % 3 === 0 },
      ...(n % 2 === 0 ? { browser: "Samsung Internet", system: "Android" } : {}),
      address: "2001:db8:85a3:1319:8a2e:370:7344:ab12",
    })),
  })),
  applicationsView("default", () => ({
    ...{ ...frame, part: "applications", revokeAction: to },
    applications: [
      {
        ...{ clientId: "1", name: "Acme Shop", topics: ["identity", "profile", "stay"], since: at, lastUsedAt: at },
        canRenew: true,
      },
    ],
  })),
  applicationsView("long", () => ({
    ...{ ...longFrame, part: "applications", revokeAction: to, news: "application_revoked" },
    applications: Array.from({ length: 11 }, (_, n) => ({
      ...{
        clientId: String(n),
        name: `${long.organizationName} ${n}`,
        topics: [...scopeTopics],
        since: at,
        lastUsedAt: at,
      },
      canRenew: n % 2 === 0,
    })),
  })),
  applicationsView("none", () => ({ ...frame, part: "applications", revokeAction: to, applications: [] })),
  activityView("default", () => ({
    ...{ ...frame, part: "activity", notMeHref: to, pager: { olderHref: to } },
    events: [
      { what: "Password check succeeded", at },
      { what: "E-mail address set", at, by: "Grace Hopper" },
      { what: "User created", at, by: long.displayName },
    ],
  })),
  activityView("none", () => ({ ...frame, part: "activity", notMeHref: to, pager: noPages, events: [] })),
  notMeView("default", () => ({ ...frame, part: "activity", endOthersAction: to, passwordHref: to, methodsHref: to })),
  dataView("default", () => ({ ...frame, part: "data", exportAction: to, deleteHref: to })),
  dataView("managed", () => ({ ...frame, part: "data", exportAction: to })),
  deleteView("default", () => ({ ...frame, ...form, part: "data", loginName: ada.loginName, typed: "" })),
  deleteView("error", (context) => ({
    ...{ ...longFrame, ...form, part: "data", loginName: long.loginName, typed: "ada" },
    errors: [{ field: "login_name_again", message: context.say("login_name.missing") }],
  })),
  deletedView("default", () => ({ startHref: to })),
];
