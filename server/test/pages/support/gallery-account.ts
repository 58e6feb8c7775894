import * as views from "../../../src/pages/account/index.ts";
import { scopeTopics } from "../../../src/pages/login/index.ts";
import { form, frame, hrefs, longFrame, to } from "./gallery-account-frame.ts";
import { accountMethodViews } from "./gallery-account-methods.ts";
import { galleryAvatar } from "./gallery-avatar.ts";
import { ada, at, long } from "./gallery-values.ts";
import { type GalleryView, ofView } from "./gallery-view.ts";

const noPages = {};

const homeView = ofView("account-home", views.accountHomePage);
const profileView = ofView("account-profile", views.profilePage);
const contactView = ofView("account-contact", views.contactPage);
const usernameView = ofView("account-username", views.usernamePage);
const sessionsView = ofView("account-sessions", views.sessionsPage);
const applicationsView = ofView("account-applications", views.applicationsPage);
const appointmentsView = ofView("account-appointments", views.appointmentsPage);
const activityView = ofView("account-activity", views.activityPage);
const notMeView = ofView("account-not-me", views.notMePage);
const dataView = ofView("account-data", views.dataPage);
const deleteView = ofView("account-delete", views.deleteAccountPage);
const deletedView = ofView("account-deleted", views.accountDeletedPage);

const profile = {
  part: "profile",
  account: ada,
  hasAppointments: false,
  hrefs,
  others: [],
  otherAccountHref: to,
  signOutHref: to,
  action: to,
  usernameHref: to,
  username: "ada",
  loginNames: ["ada@acme.example"],
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

const session = { sessionId: "1", createdAt: at, changedAt: at, isCurrent: false, isExpired: false };
const sessions = { ...frame, part: "sessions", endAction: to, endOthersAction: to } as const;

/** The pages of the account in their states. */
export const accountViews: readonly GalleryView[] = [
  homeView("default", () => ({ ...frame, level: "password", suggestion: { kind: "add_passkey", href: to } })),
  homeView("long", () => ({ ...longFrame, level: "passkey" })),
  profileView("default", () => profile),
  profileView("long", () => ({
    ...profile,
    ...longFrame,
    part: "profile",
    news: "profile_saved",
    username: long.loginName,
    loginNames: [long.loginName, `${long.loginName}.niederrhein.example`],
    email: { value: long.loginName, isVerified: false, changeHref: to, verifyHref: to },
    phone: { value: "+41791234567", isVerified: false, changeHref: to, verifyHref: to },
  })),
  profileView("picture", () => ({
    ...profile,
    account: pictured,
    news: "picture_saved",
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
    ...frame,
    ...form,
    part: "profile",
    kind: "phone",
    step: "value",
    value: "+41791234567",
    removeAction: to,
  })),
  contactView("code", () => ({
    ...longFrame,
    ...form,
    part: "profile",
    kind: "email",
    step: "code",
    resendAction: to,
    wait: 12_000,
    recipient: long.loginName,
    news: "code_sent",
  })),
  contactView("error", (context) => ({
    ...frame,
    ...form,
    part: "profile",
    kind: "phone",
    step: "code",
    resendAction: to,
    wait: 0,
    recipient: "+41791234567",
    errors: [{ field: "code", message: context.say("setup.code_wrong") }],
  })),
  usernameView("default", () => ({ ...frame, ...form, part: "profile", username: "ada" })),
  usernameView("error", (context) => ({
    ...frame,
    ...form,
    part: "profile",
    username: "",
    errors: [{ field: "username", message: context.say("setup.username_missing") }],
  })),
  ...accountMethodViews,
  sessionsView("default", () => ({
    ...sessions,
    hasOthers: true,
    pager: noPages,
    sessions: [
      { ...session, browser: "Firefox", system: "Linux", address: "192.0.2.17", isCurrent: true },
      { ...session, sessionId: "2", browser: "Safari", system: "iPhone", address: "2001:db8::1", changedAt: at + 1 },
    ],
  })),
  sessionsView("long", () => ({
    ...sessions,
    ...longFrame,
    part: "sessions",
    hasOthers: true,
    pager: { newerHref: to, olderHref: to },
    news: "session_ended",
    sessions: Array.from({ length: 12 }, (_, n) => ({
      ...session,
      sessionId: String(n),
      createdAt: at - n,
      isExpired: n % 3 === 0,
      ...(n % 2 === 0 ? { browser: "Samsung Internet", system: "Android" } : {}),
      address: "2001:db8:85a3:1319:8a2e:370:7344:ab12",
    })),
  })),
  applicationsView("default", () => ({
    ...frame,
    part: "applications",
    revokeAction: to,
    applications: [
      {
        clientId: "1",
        name: "Acme Shop",
        topics: ["identity", "profile", "stay"],
        permissions: ["Look at your tools"],
        since: at,
        lastUsedAt: at,
        canRenew: true,
      },
    ],
  })),
  applicationsView("long", () => ({
    ...longFrame,
    part: "applications",
    revokeAction: to,
    news: "application_revoked",
    applications: Array.from({ length: 8 }, (_, n) => ({
      clientId: String(n),
      name: `${long.organizationName} ${n}`,
      // An application has rights, or is trusted with everything.
      permissions: n === 0 ? [long.organizationName, long.organizationName] : [],
      topics: scopeTopics.filter((topic) => (n === 0 ? topic !== "management" : !/^(?:me|admin)_/.test(topic))),
      since: at,
      lastUsedAt: at,
      canRenew: n % 2 === 0,
    })),
  })),
  applicationsView("none", () => ({ ...frame, part: "applications", revokeAction: to, applications: [] })),
  appointmentsView("default", () => ({
    ...frame,
    part: "appointments",
    hasAppointments: true,
    declineAction: to,
    pager: noPages,
    appointments: [
      {
        scope: { level: "organization", name: "Northwind Trading" },
        roles: [],
        offer: { roles: ["ORG_OWNER"], acceptHref: to, level: "organization", id: "1" },
      },
      {
        scope: {
          level: "project_grant",
          name: "Portal",
          organizationName: "Acme",
          grantedOrganizationName: "Northwind Trading",
        },
        roles: ["PROJECT_GRANT_OWNER_VIEWER"],
        offer: { roles: ["PROJECT_GRANT_OWNER"], acceptHref: to, level: "project_grant", id: "1" },
      },
      { scope: { level: "project", name: "Shop", organizationName: "Acme" }, roles: ["PROJECT_OWNER"] },
      { scope: { level: "instance" }, roles: ["IAM_OWNER_VIEWER"] },
    ],
  })),
  appointmentsView("long", () => ({
    ...longFrame,
    part: "appointments",
    declineAction: to,
    pager: { newerHref: to, olderHref: to },
    news: "appointment_accepted",
    appointments: Array.from({ length: 10 }, (_, n) => ({
      scope: { level: "project", name: long.organizationName, organizationName: long.organizationName },
      roles: n % 2 === 0 ? ["PROJECT_OWNER", "PROJECT_OWNER_VIEWER_GLOBAL"] : [],
      offer: {
        roles: ["PROJECT_OWNER_GLOBAL", "PROJECT_OWNER_VIEWER", "PROJECT_GRANT_OWNER_VIEWER"],
        acceptHref: to,
        level: "project",
        id: String(n),
      },
    })),
  })),
  appointmentsView("none", () => ({
    ...frame,
    part: "appointments",
    declineAction: to,
    pager: noPages,
    appointments: [],
  })),
  activityView("default", () => ({
    ...frame,
    part: "activity",
    notMeHref: to,
    pager: { olderHref: to },
    events: [
      {
        what: "Your password was used to sign in.",
        icon: "door",
        at,
        device: { browser: "Firefox", system: "Linux" },
        address: "192.0.2.17",
        isSensitive: true,
      },
      { what: "A wrong password was entered.", icon: "warning", at, address: "2001:db8:85a3:1319::/64" },
      { what: "Your profile was changed.", icon: "person", at, address: "192.0.2.17", application: "Acme Shop" },
      { what: "Your email address was changed.", icon: "key", at, by: "Grace Hopper" },
      { what: "Your account was created.", icon: "person", at, by: long.displayName },
    ],
  })),
  activityView("none", () => ({ ...frame, part: "activity", notMeHref: to, pager: noPages, events: [] })),
  notMeView("default", () => ({ ...frame, part: "activity", endOthersAction: to, passwordHref: to, methodsHref: to })),
  dataView("default", () => ({ ...frame, part: "data", exportAction: to, deleteHref: to })),
  dataView("managed", () => ({ ...frame, part: "data", exportAction: to })),
  deleteView("default", () => ({ ...frame, ...form, part: "data", loginName: ada.loginName, typed: "" })),
  deleteView("error", (context) => ({
    ...longFrame,
    ...form,
    part: "data",
    loginName: long.loginName,
    typed: "ada",
    errors: [{ field: "login_name_again", message: context.say("login_name.missing") }],
  })),
  deletedView("default", () => ({ startHref: to })),
];
