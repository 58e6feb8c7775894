import { approveDevice, checkUserOfClient, consentWordsOf, shownConsent } from "../../../authority/index.ts";
import type { Preparation } from "../../../call/index.ts";
import type { Client } from "../../../domain/application/index.ts";
import {
  type Approval,
  type DeviceAuthorization,
  decideDeviceAuthorization,
  findDeviceAuthorizationOfBrowser,
  openUserCode,
} from "../../../domain/device-authorization/index.ts";
import { findPresentClient } from "../../../domain/registration/index.ts";
import {
  authenticationMethodsOf,
  authTimeOf,
  freshFactorsOf,
  listBrowserAccounts,
  listSignedInSessions,
  preparationsOf,
  type Session,
} from "../../../domain/session/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { showError } from "../../visit/show-error.ts";
import { inLookOf, type Visit } from "../../visit/visit.ts";
import { authorityOf } from "../consent/authority-of.ts";
import { findOwner } from "../consent/find-owner.ts";
import { findTopics } from "../consent/find-topics.ts";
import { findClientFace } from "../flow/find-client-face.ts";
import { deviceDonePage } from "./done-view.ts";
import { deviceConfirmPage } from "./view.ts";

/** A device that this browser may approve, and its client. */
interface Waiting {
  readonly device: DeviceAuthorization;
  readonly client: Client;
}

/** `/ui/login/device/confirm`: asks the signed-in user whether the device may act for them, after sign-in if needed. */
export const showDeviceConfirm: PageHandler = async (deps, visit) => {
  const waiting = await findWaiting(deps, visit);
  if (!("device" in waiting)) return waiting;
  const { device, client } = waiting;
  const { deviceAuthorizationId, requestedFrom, createdAt } = device;
  const session = await findSession(deps, visit, visit.query.get("session"));
  const accounts = await listBrowserAccounts(deps.database.read, visit.call.instanceId, visit.browser.hash);
  const account = accounts.find((one) => one.session.sessionId === session?.sessionId);
  if (session === undefined || account === undefined) {
    return seeOther(pathTo("/ui/login", { device: deviceAuthorizationId, account: "other" }));
  }
  const { userId = "", organizationId = "" } = session;
  const { scope, resources } = device;
  // Read first, so that nothing the page says about the client is older than this.
  const present = await findPresentClient(deps.database.read, client);
  if (present === undefined) return showGone(deps, visit);
  const words = await consentWordsOf(await authorityOf(deps, visit), client, { scope, resources });
  const { topics, services, permissions } = await findTopics(deps, visit, client, { scope, resources, userId });
  const owner = await findOwner(deps, visit, client, { userId, organizationId });
  const face = await findClientFace(deps, visit.call, client, "elsewhere");
  return show(
    deps,
    inLookOf(visit, session.organizationId),
    (context) =>
      deviceConfirmPage(context, {
        action: confirmPath(device),
        client: { name: present.application.name, ...face },
        owner,
        requestedFrom,
        requestedAt: createdAt,
        userCode: openUserCode(deps, visit.call, device),
        topics,
        permissions,
        services,
        account,
        sessionId: session.sessionId,
        shown: shownConsent(present.version, words),
        otherAccountHref: pathTo("/ui/login/accounts", { device: deviceAuthorizationId }),
      }),
    { isDecision: true },
  );
};

export const takeDeviceConfirm: FormHandler = async (deps, visit, form) => {
  const waiting = await findWaiting(deps, visit);
  if (!("device" in waiting)) return waiting;
  const { device } = waiting;
  const { deviceAuthorizationId } = device;
  const browserHash = visit.browser.hash;
  // A device that was decided on in another tab keeps that outcome, which the page then shows.
  switch (form.get("decision")) {
    case "deny": {
      const decision = { deviceAuthorizationId, browserHash, approval: undefined };
      await deps.database.change(visit.call, (tx) => decideDeviceAuthorization(tx, decision));
      return seeOther(donePath(device));
    }
    case "allow": {
      const found = await findApproval(deps, visit, waiting, form.get("session_id"));
      if (!isApproval(found)) return found;
      const context = await authorityOf(deps, visit);
      const { organizationId, preparedBy, ...approval } = found;
      const shown = form.get("shown") ?? "";
      const given = { ...waiting, approval, organizationId, preparedBy, browserHash, shown };
      const outcome = await approveDevice({ ...deps, context }, visit.call, given);
      // Where the client changed while the page was open, the user is shown what it is now.
      return seeOther(outcome === "changed" ? confirmPath(device) : donePath(device));
    }
    default:
      return seeOther(confirmPath(device));
  }
};

/** `/ui/login/device/done`: the outcome. */
export const showDeviceDone: PageHandler = async (deps, visit) => {
  const device = await findOfBrowser(deps, visit);
  const client = device && (await deps.clients.find(visit.call.instanceId, device.clientId));
  if (device === undefined || client === undefined) return showGone(deps, visit);
  if (device.state === "pending") return seeOther(confirmPath(device));
  const outcome = device.state === "denied" ? "denied" : "allowed";
  const model = { outcome, client: { name: client.name }, startHref: pathTo("/") } as const;
  return show(deps, visit, (context) => deviceDonePage(context, model), { hasForm: false });
};

async function findWaiting(deps: PageDeps, visit: Visit): Promise<Waiting | WebResponse> {
  const device = await findOfBrowser(deps, visit);
  if (device === undefined) return showGone(deps, visit);
  if (device.state !== "pending") return seeOther(donePath(device));
  if (device.expiresAt <= visit.call.now) return showGone(deps, visit);
  const client = await deps.clients.find(visit.call.instanceId, device.clientId);
  if (client === undefined) return showError(deps, visit, { error: "client_unknown" });
  const { isActive, name } = client;
  return isActive ? { device, client } : showError(deps, visit, { error: "client_inactive", client: { name } });
}

// The device of another browser counts as absent: only the browser in which the code was typed decides
// (CVE-2026-45337).
async function findOfBrowser(
  deps: PageDeps,
  { call, query, browser }: Visit,
): Promise<DeviceAuthorization | undefined> {
  const key = { deviceAuthorizationId: query.get("device") ?? "", browserHash: browser.hash };
  return findDeviceAuthorizationOfBrowser(deps.database.read, call.instanceId, key);
}

/** An approval, the organization of its user, and what its session depends on. */
type FoundApproval = Approval & { readonly organizationId: string; readonly preparedBy: readonly Preparation[] };

async function findApproval(
  deps: PageDeps,
  visit: Visit,
  { device, client }: Waiting,
  sessionId: string | null,
): Promise<FoundApproval | WebResponse> {
  const session = sessionId === null ? undefined : await findSession(deps, visit, sessionId);
  const authTime = session && authTimeOf(session);
  const { userId, organizationId } = session ?? {};
  if (session === undefined || authTime === undefined || userId === undefined || organizationId === undefined) {
    return seeOther(confirmPath(device));
  }
  const user = { userId, organizationId };
  const use = await checkUserOfClient(deps, visit.call, { client, user, scope: device.scope });
  if (use !== "allowed") {
    const restart = pathTo("/ui/login/accounts", { device: device.deviceAuthorizationId });
    const button = { to: "restart", href: restart } as const;
    return showError(deps, visit, { error: "access_denied", client: { name: client.name }, button });
  }
  const authenticationMethods = authenticationMethodsOf({ factors: await freshFactorsOf(deps, visit.call, session) });
  const { sessionId: id } = session;
  return {
    userId,
    organizationId,
    authTime,
    sessionId: id,
    authenticationMethods,
    preparedBy: preparationsOf(session),
  };
}

const isApproval = (found: FoundApproval | WebResponse): found is FoundApproval => "authTime" in found;

/** Returns a signed-in session of this browser: the named one, or the newest. */
async function findSession(deps: PageDeps, visit: Visit, sessionId: string | null): Promise<Session | undefined> {
  const sessions = await listSignedInSessions(deps, visit.call, visit.browser.hash);
  return sessionId === null ? sessions[0] : sessions.find((session) => session.sessionId === sessionId);
}

const confirmPath = ({ deviceAuthorizationId: device }: DeviceAuthorization) =>
  pathTo("/ui/login/device/confirm", { device });
const donePath = ({ deviceAuthorizationId: device }: DeviceAuthorization) =>
  pathTo("/ui/login/device/done", { device });

const showGone = (deps: PageDeps, visit: Visit): Promise<WebResponse> =>
  showError(deps, visit, {
    error: visit.isKnown ? "device_gone" : "cookies_missing",
    button: { to: "restart", href: pathTo("/ui/login/device") },
  });
