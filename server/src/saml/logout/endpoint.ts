import { leaveForProvider } from "../../domain/identity-provider-logout/index.ts";
import { type AfterLogout, dropNoticesOfParticipant, leadThroughPartners } from "../../domain/logout-notice/index.ts";
import { listNamedSessions, type NamedSession, type Session } from "../../domain/session/index.ts";
import { signBrowserOut, terminateSession } from "../../domain/sign-out/index.ts";
import { redirect } from "../../oauth/index.ts";
import { endpointPaths, readBrowser, type WebHandler, type WebRequest, type WebResponse } from "../../web/index.ts";
import type { SamlEndpointDeps } from "../deps.ts";
import { toPageReason } from "../page-reason.ts";
import { type ReadMessage, readMessage } from "../read-message.ts";
import { parseNameId } from "../response/name-id.ts";
import { askWithCookies, readSent, type SentMessage } from "../sent-message.ts";
import { SamlError, type SamlStatus } from "../status.ts";
import { takeLogoutResponse } from "./next.ts";
import { isSameName, type LogoutRequest, readLogoutRequest, readRequestId } from "./read-logout-request.ts";
import { respondToLogout } from "./respond.ts";

/**
 * Creates the endpoint of Single Logout (SAML Profiles §4.4): a service provider ends the sessions in which it has the
 * user, in this browser. Its signature stands for the user's confirmation. Without keys in its metadata it can prove
 * nothing, and the user is asked, because any site could have sent the browser here.
 */
export function createLogoutEndpoint(deps: SamlEndpointDeps): WebHandler {
  return async (request) => {
    try {
      const sent = readSent(request);
      const asking = await askWithCookies(deps, request, sent);
      if (asking !== undefined) return asking;
      if (sent.parameter === "SAMLResponse") return await takeLogoutResponse(deps, request, sent);
      return await answer(deps, request, sent);
    } catch (error) {
      return deps.renderUntrusted(request, toPageReason(error));
    }
  };
}

async function answer(deps: SamlEndpointDeps, request: WebRequest, sent: SentMessage): Promise<WebResponse> {
  const read = await readMessage(deps, request, sent, {
    name: "LogoutRequest",
    parameter: "SAMLRequest",
    isSignatureRequired: ({ configuration }) => configuration.partner.signingCertificates.length > 0,
  });
  if (!read.isSigned) return redirect("/ui/logout");
  const { requestId, status, ended } = await endOf(deps, request, read);
  const { relayState } = read;
  const { binding } = sent;
  if (status === undefined) {
    const { clientId } = read.client;
    const after: AfterLogout = {
      kind: "answer",
      clientId,
      requestId,
      binding,
      ...(relayState !== undefined && { relayState }),
    };
    const elsewhere = await leadOn(deps, request, { ended, after });
    if (elsewhere !== undefined) return elsewhere;
  }
  return respondToLogout(deps, request, { partner: read, requestId, relayState, status, binding });
}

/** Sends the browser to the provider and the service providers that want to know, before the answer. */
async function leadOn(
  deps: SamlEndpointDeps,
  request: WebRequest,
  { ended, after }: { readonly ended: readonly Session[]; readonly after: AfterLogout },
): Promise<WebResponse | undefined> {
  const { call, instance } = request;
  const browser = readBrowser(request);
  if (browser === undefined) return undefined;
  const target = endpointPaths.samlLogoutNext;
  const next = await leaveForProvider(deps, call, { origin: instance.origin, ended, target });
  const lead = { browserHash: browser.hash, after, isLeaving: next !== target };
  const through = await leadThroughPartners(deps, request, lead);
  return through && redirect(next, { "set-cookie": [through.cookie] });
}

interface EndOfSessions {
  /** Absent for a success. */
  readonly status?: SamlStatus;
  readonly ended: readonly Session[];
}

async function endOf(
  deps: SamlEndpointDeps,
  request: WebRequest,
  read: ReadMessage,
): Promise<EndOfSessions & { readonly requestId: string }> {
  const requestId = readRequestId(request, read);
  try {
    return { requestId, ...(await endSessions(deps, request, read, readLogoutRequest(read, requestId))) };
  } catch (error) {
    if (error instanceof SamlError) return { requestId, status: error.status, ended: [] };
    throw error;
  }
}

/** Ends the sessions. The status is not success if the user also has a session in another browser. */
async function endSessions(
  deps: SamlEndpointDeps,
  request: WebRequest,
  { client }: ReadMessage,
  { nameId, sessionIds, until }: LogoutRequest,
): Promise<EndOfSessions> {
  const { call } = request;
  const browserHash = readBrowser(request)?.hash ?? "";
  const { clientId } = client;
  const of = sessionIds.length > 0 ? { sessionIds } : { browserHash };
  const named = await listNamedSessions(deps.database.read, call.instanceId, { clientId, of });
  // A request that names no session would otherwise end later ones, from a history or a log.
  const isMeant = (session: NamedSession): boolean =>
    isSameName(parseNameId(session.nameId), nameId) && (sessionIds.length > 0 || session.createdAt <= until);
  const meant = named.filter(isMeant);
  // The service provider vouches for the session that it names. In a browser of ours, that browser has to come along.
  const isHere = (session: NamedSession): boolean =>
    session.browserHash === null || session.browserHash === browserHash;
  const here = meant.filter(isHere);
  const ended = await deps.database.touch(call, async (tx) => {
    const ofBrowser = here.flatMap((session) => (session.browserHash === null ? [] : [session.sessionId]));
    const ofLogins = here.filter((session) => session.browserHash === null);
    const signedOut = ofBrowser.length === 0 ? [] : await signBrowserOut(tx, { browserHash, sessionIds: ofBrowser });
    for (const { sessionId } of ofLogins) await terminateSession(tx, sessionId);
    if (here.length > 0) {
      await dropNoticesOfParticipant(tx, { clientId, sessionIds: here.map(({ sessionId }) => sessionId) });
    }
    return signedOut;
  });
  if (named.length > 0 && meant.length === 0) return { ended, status: unknownName };
  if (meant.length === here.length) return { ended };
  return { ended, status: { code: "Responder", detail: "RequestDenied", message: inAnotherBrowser } };
}

// Where nothing is left that it could mean, the session has ended before, which is a success.
const unknownName: SamlStatus = {
  code: "Responder",
  detail: "UnknownPrincipal",
  message: "no session here has this name, or all of them began later",
};

const inAnotherBrowser = "the session is in another browser";
