import { href } from "../../../src/html/index.ts";
import { inboxPage } from "../../../src/pages/dev/inbox-view.ts";
import * as views from "../../../src/pages/login/index.ts";
import { galleryAvatar } from "./gallery-avatar.ts";
import { combinedViews } from "./gallery-combined.ts";
import { decisionViews } from "./gallery-decisions.ts";
import { externalViews } from "./gallery-external.ts";
import { newcomerViews } from "./gallery-newcomers.ts";
import { relayViews } from "./gallery-relay.ts";
import { secondFactorViews } from "./gallery-second-factors.ts";
import { setupLinkViews } from "./gallery-setup-link.ts";
import {
  ada,
  at,
  client,
  long,
  longClient,
  longRegisteredClient,
  registeredClient,
  rules,
  strictRules,
  to,
} from "./gallery-values.ts";
import { type GalleryView, ofView } from "./gallery-view.ts";

const bob = { displayName: "bob@acme.example", loginName: "bob@acme.example", organizationName: "Acme" };
const pageLinks = { accountHref: href("/ui/account"), consoleHref: href("/ui/console"), docsHref: href("/docs") };
const reference = "req_01JDW8Q4M7T2XK";

const start = {
  host: "localhost:8080",
  signInHref: to,
  signOutHref: href("/ui/login/logout"),
};
const connect = { issuer: "http://localhost:8080", discoveryHref: href("/.well-known/openid-configuration") };

const setup = { action: href("/ui/setup"), host: "localhost:8080", rules, loginNameSuffix: "@doorward.localhost" };
const password = { action: to, changeHref: to };
const ceremony = { action: to, challengeAction: to };
const accounts = { chooseAction: to, removeAction: to, otherAccountHref: to };

// Each kind with a mark of its own, and two of those without.
const providers = (
  [
    ["Google", "google"],
    ["Microsoft", "azure_ad"],
    ["GitHub", "github"],
    ["GitLab", "gitlab"],
    ["Apple", "apple"],
    ["Acme Workforce", "saml"],
    ["Acme Directory", "ldap"],
  ] as const
).map(([name, kind]) => ({ id: name, name, kind }));

const startView = ofView("start", views.startPage);
const setupView = ofView("setup", views.setupPage);
const loginNameView = ofView("login-name", views.loginNamePage);
const passwordView = ofView("password", views.passwordPage);
const passwordChangeView = ofView("password-change", views.passwordChangePage);
const chooseAccountView = ofView("choose-account", views.chooseAccountPage);
const signedInView = ofView("signed-in", views.signedInPage);
const logoutView = ofView("logout", views.logoutPage);
const loggedOutView = ofView("logged-out", views.loggedOutPage);
const inboxView = ofView("inbox", inboxPage);
const errorView = ofView("error", views.errorPage);

const mail = {
  recipient: ada.loginName,
  at,
  code: "QX7-4TD",
  mailHref: href("/ui/dev/inbox/mail?id=1"),
  text: "Hello Ada Lovelace,\n\nEnter the code QX7-4TD to confirm your email address.\n",
} as const;

export const galleryViews: readonly GalleryView[] = [
  ...decisionViews,
  ...(await import("./gallery-account.ts")).accountViews,
  inboxView("default", () => ({
    messages: [
      {
        ...mail,
        kind: "password_changed",
        isSuperseded: false,
        code: null,
        text: "Hello Ada Lovelace,\n\nThe password of your account was changed.\n",
      },
      {
        ...mail,
        kind: "email_verification",
        isSuperseded: false,
        linkHref: href("https://shop.acme.example/verify?code=QX7-4TD"),
      },
      { ...mail, kind: "email_verification", isSuperseded: true, code: "ZZ2-81K" },
      {
        ...mail,
        kind: "phone_verification",
        isSuperseded: false,
        recipient: "+41791234567",
        text: "QX7-4TD is your code to confirm this phone number.",
        mailHref: undefined,
      },
    ],
  })),
  inboxView("empty", () => ({ messages: [] })),
  inboxView("long", () => ({
    messages: [
      {
        ...mail,
        kind: "invitation",
        isSuperseded: false,
        recipient: long.loginName,
        linkHref: href(`/invitation?${"x".repeat(300)}`),
      },
    ],
  })),
  startView("default", () => ({ ...start, links: {}, isDevelopment: false })),
  startView("signed-in", () => ({
    ...start,
    connect,
    account: ada,
    isDevelopment: true,
    links: { ...pageLinks, inboxHref: href("/ui/dev/inbox") },
  })),
  startView("launches", () => ({
    ...start,
    account: ada,
    isDevelopment: false,
    links: {},
    launches: [
      { name: "Shop", href: href("https://shop.acme.example/login?iss=https%3A%2F%2Flogin.acme.example") },
      { name: "Verkehrsbetriebsverwaltungsanwendung Niederrhein", href: href("https://shop.acme.example/verkehr") },
      { name: "Wiki", href: href("https://shop.acme.example/wiki") },
    ],
  })),
  startView("long", () => ({
    ...start,
    account: long,
    links: {},
    isDevelopment: true,
    host: longClient.host,
    connect: { ...connect, issuer: `https://${longClient.host}` },
  })),
  setupView("default", () => ({ ...setup, organization: { name: "Doorward" }, values: {} })),
  setupView("error", (c) => ({
    ...setup,
    organization: "ask",
    values: { given_name: "Ada", email: "ada@", username: "ada" },
    errors: [
      {
        field: "organization_name",
        message: c.say("setup.organization_name_missing"),
      },
      {
        field: "email",
        message: c.say("setup.email_missing"),
      },
      {
        field: "password",
        message: c.say("setup.password_missing"),
      },
      {
        field: "setup_code",
        message: c.say("setup.code_wrong"),
      },
    ],
  })),
  setupView("long", () => ({
    ...setup,
    rules: strictRules,
    organization: { name: long.organizationName },
    host: longClient.host,
    loginNameSuffix: `@${longClient.host}`,
    values: {
      given_name: "Maximiliane",
      family_name: "Freifrau von und zu Hohenstein",
      email: long.loginName,
      setup_code: "8F3K-2XQM-7RTD-V5NB",
    },
  })),
  ...combinedViews,
  ...relayViews,
  loginNameView("default", () => ({ action: to, client, loginName: "", passkey: ceremony })),
  loginNameView("registered", () => ({ action: to, client: registeredClient, loginName: "", passkey: ceremony })),
  loginNameView("registered-long", () => ({ action: to, client: longRegisteredClient, loginName: "" })),
  loginNameView("unloaded-logo", () => ({
    action: to,
    client: { ...registeredClient, logoHref: href("/avatars/gone.png") },
    loginName: "",
  })),
  loginNameView("error", (c) => ({
    action: to,
    client,
    loginName: "",
    errors: [{ field: "login_name", message: c.say("login_name.missing") }],
  })),
  loginNameView("long", () => ({
    action: to,
    client: longClient,
    loginName: long.loginName,
    registerHref: to,
    providers: [{ id: "1", name: longClient.name }],
    providerAction: to,
  })),
  loginNameView("providers", () => ({
    action: to,
    client,
    loginName: "",
    passkey: ceremony,
    registerHref: to,
    providerAction: to,
    providers,
  })),
  loginNameView("providers-only", () => ({
    action: to,
    client,
    loginName: "",
    providerAction: to,
    hasForm: false,
    providers: providers.map((each) => ({ ...each, isLast: each.kind === "google" })),
  })),
  ...externalViews,
  ...newcomerViews,
  ...setupLinkViews,
  ...secondFactorViews,
  passwordView("default", () => ({
    ...password,
    passkey: ceremony,
    client,
    loginName: ada.loginName,
    forgotHref: to,
  })),
  passwordView("error", (c) => ({
    ...password,
    client,
    loginName: ada.loginName,
    forgotHref: to,
    errors: [{ field: "password", message: c.say("password.wrong") }],
  })),
  passwordView("long", () => ({ ...password, client: longClient, loginName: long.loginName })),
  passwordChangeView("default", () => ({
    ...password,
    client,
    loginName: ada.loginName,
    shownName: ada.loginName,
    rules,
    reason: "temporary",
  })),
  passwordChangeView("error", (c) => ({
    ...password,
    client,
    loginName: ada.loginName,
    shownName: ada.loginName,
    rules: strictRules,
    reason: "expired",
    errors: [
      {
        field: "current_password",
        message: c.say("password_change.current_wrong"),
      },
      {
        field: "new_password",
        message: c.say("password_change.new_missing"),
      },
    ],
  })),
  passwordChangeView("long", () => ({
    ...password,
    loginName: long.loginName,
    shownName: long.loginName,
    rules: strictRules,
    reason: "required",
  })),
  chooseAccountView("default", () => ({
    ...accounts,
    client,
    accounts: [
      { ...ada, sessionId: "1", isSignedIn: true },
      { ...bob, sessionId: "2", isSignedIn: false },
    ],
  })),
  chooseAccountView("pictures", () => ({
    ...accounts,
    client,
    accounts: [
      { ...ada, avatarFile: galleryAvatar, sessionId: "1", isSignedIn: true },
      { ...bob, sessionId: "2", isSignedIn: false },
    ],
  })),
  chooseAccountView("long", () => ({
    ...accounts,
    client: longClient,
    accounts: [
      { ...long, sessionId: "1", isSignedIn: false },
      { ...ada, sessionId: "2", isSignedIn: true },
    ],
  })),
  signedInView("default", () => ({ account: ada, links: pageLinks, signOutHref: to })),
  signedInView("long", () => ({ account: long, renewHref: to, links: {}, signOutHref: to })),
  logoutView("default", () => ({
    action: to,
    client,
    cancelHref: to,
    sessions: [{ ...ada, sessionId: "1", isSelected: true }],
  })),
  logoutView("long", () => ({
    action: to,
    client: longClient,
    cancelHref: to,
    sessions: [
      { ...ada, sessionId: "1", isSelected: true },
      { ...long, sessionId: "2", isSelected: false },
    ],
  })),
  logoutView("error", (c) => ({
    action: to,
    client,
    cancelHref: to,
    sessions: [
      { ...ada, sessionId: "1", isSelected: false },
      { ...bob, sessionId: "2", isSelected: false },
    ],
    errors: [{ message: c.say("logout.none_chosen") }],
  })),
  loggedOutView("default", () => ({
    ended: [ada],
    remaining: [],
    back: { clientName: client.name, href: to },
    signInHref: to,
  })),
  loggedOutView("long", () => ({
    ended: [long, ada],
    remaining: [bob],
    signInHref: to,
    back: { clientName: longClient.name, href: to },
  })),
  loggedOutView("nobody", () => ({ ended: [], remaining: [], signInHref: to })),
  ...views.pageErrors.map((error) =>
    errorView(error.replaceAll("_", "-"), () => ({
      error,
      reference,
      at,
      client,
      button: { to: "start", href: href("/") },
    })),
  ),
  errorView("default", () => ({
    error: "redirect_uri_invalid",
    reference,
    at,
    client,
    redirectUri: {
      received: "http://localhost:5173/callbck",
      registered: ["http://localhost:5173/callback", "https://shop.acme.example/auth/callback"],
    },
  })),
  errorView("long", () => ({
    error: "redirect_uri_invalid",
    reference: "4bf92f3577b34da6a3ce929d0e0e4736",
    at,
    client: longClient,
    detail: "redirect_uri does not match any registered redirect URI of the client",
    button: { to: "return", href: to },
    redirectUri: {
      received: `https://${longClient.host}/anmeldung/rueckkehr/?mandant=niederrhein`,
      registered: [`https://${longClient.host}/anmeldung/rueckkehr`],
    },
  })),
];
