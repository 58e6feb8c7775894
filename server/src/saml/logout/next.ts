import { hash } from "node:crypto";
import { attributeOf, signElement, writePost, writeRedirect } from "../../base/saml/index.ts";
import {
  claimForVisit,
  forgetAfterLogout,
  isVisited,
  type LogoutNotice,
  listNoticesOfBrowser,
  readAfterLogout,
  settleLogoutNotice,
} from "../../domain/logout-notice/index.ts";
import type { LogoutEndpoint } from "../../domain/saml-configuration/index.ts";
import { redirect } from "../../oauth/index.ts";
import { endpointPaths, readBrowser, type WebHandler, type WebRequest, type WebResponse } from "../../web/index.ts";
import type { SamlEndpointDeps } from "../deps.ts";
import { asPartner } from "../find-partner.ts";
import { readMessage } from "../read-message.ts";
import { parseNameId } from "../response/name-id.ts";
import type { SentMessage } from "../sent-message.ts";
import { isSuccessful } from "../status.ts";
import { buildLogoutRequest } from "./build-logout-request.ts";
import { frontEndpoint, respondToLogout } from "./respond.ts";

/**
 * Creates the endpoint that leads a browser which signed out through the service providers of the ended sessions that
 * are told through it (SAML Profiles §4.4.3.3), one after the other, and then to where it was to go.
 */
export function createLogoutNextEndpoint(deps: SamlEndpointDeps): WebHandler {
  return async (request) => {
    const visit = await findVisit(deps, request);
    return visit === undefined ? leave(deps, request) : sendTo(deps, request, visit);
  };
}

interface Visit {
  readonly notice: LogoutNotice;
  readonly endpoint: LogoutEndpoint;
}

/** Claims the next service provider that the browser has to visit. */
async function findVisit(deps: SamlEndpointDeps, request: WebRequest): Promise<Visit | undefined> {
  const { call } = request;
  for (const notice of await listWaiting(deps, request)) {
    if (isVisited(notice)) continue;
    const client = await deps.clients.find(call.instanceId, notice.clientId);
    const partner = client?.isActive === true ? client.saml?.partner : undefined;
    // One with SOAP is told by our server, wherever the browser goes.
    if (partner === undefined || partner.logout.some(({ binding }) => binding === "soap")) continue;
    const endpoint = frontEndpoint(partner, "redirect");
    if (endpoint === undefined) continue;
    if (await deps.database.touch(call, (tx) => claimForVisit(tx, notice))) return { notice, endpoint };
  }
  return undefined;
}

async function listWaiting(deps: SamlEndpointDeps, request: WebRequest) {
  const { call } = request;
  const browser = readBrowser(request);
  if (browser === undefined) return [];
  return listNoticesOfBrowser(deps.database.read, call.instanceId, { browserHash: browser.hash, now: call.now });
}

async function sendTo(deps: SamlEndpointDeps, request: WebRequest, { notice, endpoint }: Visit): Promise<WebResponse> {
  const { call, instance } = request;
  const destination = endpoint.location;
  const message = buildLogoutRequest({
    id: idOf(notice),
    issuer: instance.origin,
    destination,
    nameId: parseNameId(notice.nameId ?? "{}"),
    sessionId: notice.sessionId,
    now: call.now,
  });
  const signer = (await deps.samlKeys(call)).signer();
  if (endpoint.binding === "redirect") {
    return redirect(await writeRedirect({ destination, parameter: "SAMLRequest", message, signer }));
  }
  const parameters = { SAMLRequest: writePost(await signElement(message, signer)) };
  return deps.renderFormPost(request, { target: destination, parameters, uiLocales: [] });
}

// The same for each visit, so that the response is known to be for this notice.
const idOf = ({ instanceId, sessionId, clientId, createdAt }: LogoutNotice): string =>
  `_${hash("sha256", `saml logout ${instanceId} ${sessionId} ${clientId} ${createdAt}`, "base64url")}`;

/**
 * Takes the response of a service provider that the browser brings back, notes it, and goes on. Whatever it says, the
 * session has ended here.
 */
export async function takeLogoutResponse(
  deps: SamlEndpointDeps,
  request: WebRequest,
  sent: SentMessage,
): Promise<WebResponse> {
  const read = await readMessage(deps, request, sent, {
    name: "LogoutResponse",
    parameter: "SAMLResponse",
    isSignatureRequired: ({ configuration }) => configuration.partner.signingCertificates.length > 0,
  });
  const answered = attributeOf(read.message, "InResponseTo");
  const notices = await listWaiting(deps, request);
  const notice = notices.find((one) => one.clientId === read.client.clientId && idOf(one) === answered);
  if (notice !== undefined) {
    await settleLogoutNotice(deps, notice, isSuccessful(read.message) ? {} : { failure: "refused", isFinal: true });
  }
  return redirect(endpointPaths.samlLogoutNext);
}

/** Sends the browser to where it was to go after the logout. */
async function leave(deps: SamlEndpointDeps, request: WebRequest): Promise<WebResponse> {
  const answer = await answerAfter(deps, request);
  const forget = forgetAfterLogout(request.instance.origin);
  return { ...answer, headers: { ...answer.headers, "set-cookie": [forget] } };
}

async function answerAfter(deps: SamlEndpointDeps, request: WebRequest): Promise<WebResponse> {
  const { call } = request;
  const after = readAfterLogout(deps, request);
  if (after?.kind !== "answer") return redirect(after?.target ?? "/ui/logout/done");
  const client = await deps.clients.find(call.instanceId, after.clientId);
  const partner = client && asPartner(client, call.now);
  if (partner === undefined) return redirect("/ui/logout/done");
  const { requestId, relayState, binding } = after;
  return respondToLogout(deps, request, { partner, requestId, relayState, binding, status: undefined });
}
