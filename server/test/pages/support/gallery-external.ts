import { href } from "../../../src/html/index.ts";
import * as views from "../../../src/pages/login/index.ts";
import { type GalleryView, ofView } from "./gallery-view.ts";

const to = href("/ui/login");
const client = { name: "Acme Shop", host: "shop.acme.example" };
const longClient = {
  name: "Reisekostenabrechnungssystem der Niederrheinischen Verkehrsgesellschaft mit beschränkter Haftung",
  host: "reisekosten.niederrheinische-verkehrsgesellschaft.example",
};
const ada = { displayName: "Ada Lovelace", loginName: "ada@acme.example", organizationName: "Acme" };
const long = {
  displayName: "Maximiliane Freifrau von und zu Hohenstein-Wolkenburg",
  loginName: "maximiliane.freifrau.von.und.zu.hohenstein@vertrieb.niederrheinische-verkehrsgesellschaft.example",
  organizationName: "Niederrheinische Verkehrsgesellschaft mbH, Abteilung Kundenzufriedenheit",
};

const externalView = ofView("external", views.externalPage);
const externalLinkView = ofView("external-link", views.externalLinkPage);
const externalOutcomeView = ofView("external-outcome", views.externalOutcomePage);

const directoryView = ofView("directory", views.directoryPage);

const directory = { client, action: to, providerName: "Acme", username: "", otherHref: to };
const external = {
  client,
  providerName: "Google",
  username: "ada@gmail.example",
  isEmailVerified: true,
  isKnown: false,
  values: {},
  registerAction: to,
  linkAction: to,
  otherHref: to,
};
const ended = { client, providerName: "Google", isProviderRemoved: false, reference: "371904563122", otherHref: to };

/** What is not said of an account at a stranger's provider. */
const unnamed = { providerName: undefined, username: undefined };

/** Pages of signing in at an identity provider. */
export const externalViews: readonly GalleryView[] = [
  directoryView("default", () => directory),
  directoryView("error", (c) => ({
    ...directory,
    username: "ada",
    errors: [{ message: c.say("password.wrong") }],
  })),
  directoryView("organization", () => ({ ...directory, organizationName: "Acme" })),
  directoryView("several-error", (c) => ({
    ...directory,
    errors: [
      { field: "username", message: c.say("setup.username_missing") },
      { field: "password", message: c.say("password.missing") },
    ],
  })),
  directoryView("unnamed", () => ({ ...directory, client: undefined, providerName: undefined, otherHref: undefined })),
  directoryView("long", () => ({
    ...directory,
    client: longClient,
    providerName: long.organizationName,
    organizationName: long.organizationName,
    username: long.loginName,
  })),
  externalView("default", () => ({
    ...external,
    known: { given_name: "Ada", family_name: "Lovelace", email: "ada@gmail.example" },
  })),
  externalView("error", (c) => ({
    ...external,
    known: { given_name: "Ada", email: "ada@gmail.example" },
    isEmailVerified: false,
    errors: [
      { field: "family_name", message: c.say("setup.family_name_missing") },
      { field: "email", message: c.say("setup.email_missing") },
    ],
  })),
  externalView("unnamed", () => ({ ...external, ...unnamed, known: { email: "ada@gmail.example" } })),
  externalView("known-unnamed", () => ({ ...external, ...unnamed, known: {}, isKnown: true, linkAction: undefined })),
  externalView("link-only", () => ({ ...external, known: {}, registerAction: undefined })),
  externalView("known", () => ({ ...external, known: {}, isKnown: true, linkAction: undefined })),
  externalView("asked", () => ({
    ...external,
    known: { given_name: "Ada", family_name: "Lovelace", email: "ada@gmail.example" },
    organizationName: long.organizationName,
  })),
  externalView("long", () => ({
    ...external,
    client: longClient,
    providerName: longClient.name,
    username: long.loginName,
    isEmailVerified: false,
    linkAction: undefined,
    known: { given_name: "Maximiliane", email: long.loginName },
  })),
  externalLinkView("unnamed", () => ({ ...external, ...unnamed, action: to, sessionId: "1", account: ada })),
  externalLinkView("default", () => ({ ...external, action: to, sessionId: "1", account: ada })),
  externalLinkView("long", () => ({
    action: to,
    sessionId: "1",
    account: long,
    client: longClient,
    providerName: longClient.name,
    username: long.loginName,
  })),
  externalOutcomeView("default", () => ({ ...ended, end: "linked", continueHref: to })),
  externalOutcomeView("not-allowed", () => ({
    ...ended,
    end: "not_allowed",
    reason: "This account is not known here. Contact an administrator.",
  })),
  externalOutcomeView("failed", () => ({
    ...ended,
    end: "failed",
    reason: "The token of the identity provider cannot be accepted.",
    repeat: { action: to, provider: "1" },
  })),
  externalOutcomeView("cancelled", () => ({
    ...ended,
    end: "cancelled",
    reason: "The sign-in was canceled or refused there.",
    repeat: { action: to, provider: "1" },
  })),
  externalOutcomeView("unreachable", () => ({
    ...ended,
    end: "unreachable",
    reason: "The identity provider cannot be reached.",
    client: longClient,
    repeat: { action: to, provider: "1" },
    providerName: longClient.name,
  })),
];
