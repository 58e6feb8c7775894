import * as views from "../../../src/pages/login/index.ts";
import { ada, at, client, long, longClient, longRegisteredClient, registeredClient, to } from "./gallery-values.ts";
import { type GalleryView, ofView } from "./gallery-view.ts";

const device = { action: to, otherAccountHref: to, userCode: "BCDF-GHJK", requestedAt: at, sessionId: "1" };
const deviceCodeView = ofView("device-code", views.deviceCodePage);
const deviceConfirmView = ofView("device-confirm", views.deviceConfirmPage);
const deviceDoneView = ofView("device-done", views.deviceDonePage);
const consentView = ofView("consent", views.consentPage);
const continueView = ofView("continue", views.continuePage);

/** Pages on which a signed-in user decides about their account. */
export const decisionViews: readonly GalleryView[] = [
  deviceCodeView("default", () => ({ action: to, userCode: "" })),
  deviceCodeView("error", (context) => ({
    action: to,
    userCode: "BCDF-GHJX",
    errors: [{ field: "user_code", message: context.say("device.code_wrong") }],
  })),
  deviceConfirmView("default", () => ({
    ...device,
    client: { name: "Acme TV" },
    account: ada,
    requestedFrom: "192.0.2.17",
    topics: ["identity", "profile", "email", "stay"],
    permissions: [],
    services: [],
  })),
  deviceConfirmView("long", () => ({
    ...device,
    client: { name: longClient.name },
    account: long,
    requestedFrom: "2001:db8:85a3:1319:8a2e:370:7344:ab12",
    topics: [...views.scopeTopics],
    permissions: ["Look at your tools", "x".repeat(300)],
    services: ["Calendar of all departments (Acme International Holdings)"],
  })),
  deviceConfirmView("registered", () => ({
    ...device,
    client: registeredClient,
    account: ada,
    requestedFrom: "192.0.2.17",
    topics: ["identity", "stay"],
    permissions: [],
    services: [],
  })),
  deviceConfirmView("foreign", () => ({
    ...device,
    client: { name: "Acme TV" },
    owner: { name: "Northwind Travel", unapprovedBy: "Acme" },
    account: ada,
    requestedFrom: "192.0.2.17",
    topics: ["identity", "profile", "email", "stay"],
    permissions: [],
    services: [],
  })),
  deviceDoneView("default", () => ({ outcome: "allowed", client: { name: "Acme TV" }, startHref: to })),
  deviceDoneView("denied", () => ({ outcome: "denied", client: { name: longClient.name }, startHref: to })),
  consentView("default", () => ({
    action: to,
    client,
    account: ada,
    sessionId: "1",
    otherAccountHref: to,
    topics: ["identity", "profile", "email", "stay"],
    permissions: [],
    services: [],
  })),
  consentView("long", () => ({
    action: to,
    client: longClient,
    account: long,
    sessionId: "1",
    otherAccountHref: to,
    topics: [...views.scopeTopics],
    permissions: ["Look at your tools", "x".repeat(300)],
    services: ["https://notes.example.com/api/mcp", "Calendar of all departments (Acme International Holdings)"],
  })),
  consentView("registered", () => ({
    action: to,
    client: registeredClient,
    account: ada,
    sessionId: "1",
    otherAccountHref: to,
    topics: ["identity", "stay"],
    permissions: [],
    services: [],
  })),
  consentView("registered-long", () => ({
    action: to,
    client: longRegisteredClient,
    account: long,
    sessionId: "1",
    otherAccountHref: to,
    topics: ["identity", "stay"],
    permissions: [],
    services: [],
  })),
  consentView("foreign", () => ({
    action: to,
    client: { name: "Travel Planner", host: "travel.example.com" },
    owner: { name: "Northwind Travel", unapprovedBy: "Acme" },
    account: ada,
    sessionId: "1",
    otherAccountHref: to,
    topics: ["identity", "profile", "email", "phone", "stay"],
    permissions: [],
    services: [],
  })),
  consentView("foreign-long", () => ({
    action: to,
    client: longClient,
    owner: { name: longClient.name, unapprovedBy: long.organizationName ?? longClient.name },
    account: long,
    sessionId: "1",
    otherAccountHref: to,
    topics: [...views.scopeTopics],
    permissions: [],
    services: [],
  })),
  continueView("default", () => ({ action: to, client, account: ada, otherAccountHref: to })),
  continueView("registered", () => ({ action: to, client: registeredClient, account: ada, otherAccountHref: to })),
  continueView("long", () => ({
    action: to,
    client: longClient,
    account: long,
    otherAccountHref: to,
  })),
];
