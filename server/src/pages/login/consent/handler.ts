import { consentWordsOf, isStillAsShown, readConsentWords, shownConsent } from "../../../authority/index.ts";
import type { Client } from "../../../domain/application/index.ts";
import { declineAuthRequest, noteConsent } from "../../../domain/auth-request/index.ts";
import { giveConsent } from "../../../domain/consent/index.ts";
import { staysOnDevice } from "../../../domain/oidc-configuration/index.ts";
import { findPresentClient, maySendResponseTo, type PresentClient } from "../../../domain/registration/index.ts";
import { type BrowserAccount, listBrowserAccounts, preparationsOf } from "../../../domain/session/index.ts";
import { listFittingSessions } from "../../../domain/sign-in/index.ts";
import { recordSignInAttempt, takeFailureRecord } from "../../../domain/sign-in-attempt/index.ts";
import { endpointPaths, type WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { showError } from "../../visit/show-error.ts";
import type { Visit } from "../../visit/visit.ts";
import { findClientFace } from "../flow/find-client-face.ts";
import { type Flow, findFlow, inFlow, isFlow } from "../flow/flow.ts";
import { authorityOf } from "./authority-of.ts";
import { findOwner } from "./find-owner.ts";
import { findTopics } from "./find-topics.ts";
import { consentPage } from "./view.ts";

const path = "/ui/login/consent";

/** A request with a known user, who has to decide on the client's consent. */
interface Asked {
  readonly flow: Flow;
  readonly request: NonNullable<Flow["steps"]["authRequest"]>;
  readonly account: BrowserAccount;
  readonly client: Client;
  /** Read before all that the page says of the client, so that none of it is older. */
  readonly present: PresentClient;
}

/** `/ui/login/consent`: asks whether this untrusted application may have the requested access to the chosen account. */
export const showConsent: PageHandler = async (deps, visit) => {
  const asked = await findAsked(deps, visit);
  if (!("account" in asked)) return asked;
  const { flow, request, account, client, present } = asked;
  const { userId = "", organizationId = "" } = account.session;
  const words = await findWords(deps, visit, request, client);
  const { scopes, resources, resourceScopes } = readConsentWords(words);
  const { topics, services, permissions } = await findTopics(deps, flow.visit, client, {
    scope: [...scopes, ...resourceScopes].join(" "),
    resources,
    userId,
  });
  const model = {
    action: inFlow(flow, path),
    account,
    services,
    client: {
      name: present.application.name,
      host: hostOf(request),
      ...(await findClientFace(deps, flow.visit.call, client, "consent")),
    },
    otherHosts: otherHostsOf(present, request),
    isCommandLine: client.builtInName === "command_line",
    owner: await findOwner(deps, visit, client, { userId, organizationId }),
    topics,
    permissions,
    sessionId: account.session.sessionId,
    shown: shownConsent(present.version, words),
    otherAccountHref: inFlow(flow, "/ui/login/accounts"),
  };
  // Not letting the application in is the way back.
  return show(deps, flow.visit, (context) => consentPage(context, model), { isReturnOffered: false, isDecision: true });
};

export const takeConsent: FormHandler = async (deps, visit, form) => {
  const asked = await findAsked(deps, visit);
  if (!("account" in asked)) return asked;
  const { flow, request, account, client } = asked;
  const { authRequestId, clientId } = request;
  const { browserHash } = flow.steps;
  const { sessionId, userId = "", organizationId = "" } = account.session;
  const decision = form.get("decision");
  if (decision === "deny") {
    const { userAgent } = flow.steps;
    const steps = [{ check: "consent", outcome: "refused" }] as const;
    const user = userId === "" ? undefined : { userId, organizationId };
    const allowance = takeFailureRecord(deps, visit.call, account.loginName);
    await deps.database.touch(visit.call, async (tx) => {
      if (!(await declineAuthRequest(tx, { authRequestId, browserHash }))) return;
      if (allowance === undefined) return;
      recordSignInAttempt(tx, {
        attemptId: deps.newId(),
        user,
        clientId,
        sessionId,
        userAgent,
        result: "failed",
        allowance,
        steps,
      });
    });
  }
  // Another account may have been chosen in another tab since the page was shown: consent for one account does not
  // apply to another.
  if (decision === "allow" && form.get("session_id") === sessionId) {
    const words = await findWords(deps, visit, request, client);
    const shown = form.get("shown") ?? "";
    const isAsShown = await deps.database.touch(visit.call, async (tx) => {
      if (!(await isStillAsShown(tx, client, { shown, words }))) return false;
      const isNoted = await noteConsent(tx, { authRequestId, browserHash, sessionId });
      const consent = { userId, organizationId, clientId, scopes: words, preparedBy: preparationsOf(account.session) };
      if (isNoted) await giveConsent(tx, consent);
      return true;
    });
    // The client changed while the page was open: the user is shown what it is now.
    if (!isAsShown) return seeOther(inFlow(flow, path));
  }
  return seeOther(pathTo(endpointPaths.authorizationCallback, { id: authRequestId }));
};

/** Returns what the user permits by letting the client in. */
const findWords = async (
  deps: PageDeps,
  visit: Visit,
  { parameters }: Asked["request"],
  client: Client,
): Promise<string[]> => consentWordsOf(await authorityOf(deps, visit), client, parameters);

const hostOf = ({ parameters: { redirectUri } }: Asked["request"]): string | undefined => webHostOf(redirectUri);

/**
 * Returns the hosts that later responses may be sent to, without asking again: consent is to the client, wherever it
 * is.
 */
function otherHostsOf({ application }: PresentClient, request: Asked["request"]): readonly string[] {
  const hosts = new Set(addressesOf(application).flatMap((uri) => webHostOf(uri) ?? []));
  return [...hosts].filter((host) => host !== hostOf(request));
}

function addressesOf(application: PresentClient["application"]): readonly string[] {
  switch (application.kind) {
    case "oidc":
      return application.configuration.redirectUris;
    case "saml":
      return application.configuration.partner.consumers.map(({ location }) => location);
    case "api":
      return [];
    default:
      return application satisfies never;
  }
}

const webHostOf = (redirectUri: string): string | undefined =>
  staysOnDevice(redirectUri) ? undefined : URL.parse(redirectUri)?.host;

/**
 * Returns the request with its chosen account and its client; otherwise the page to choose it on, or why none is asked
 * for.
 */
async function findAsked(deps: PageDeps, visit: Visit): Promise<Asked | WebResponse> {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const request = flow.steps.authRequest;
  if (request === undefined) return seeOther(inFlow(flow, "/ui/login"));
  const fitting = await listFittingSessions(deps, visit.call, flow.steps);
  const chosen = fitting.find(({ sessionId }) => sessionId === request.sessionId);
  const accounts = await listBrowserAccounts(deps.database.read, visit.call.instanceId, visit.browser.hash);
  const account = accounts.find(({ session }) => session.sessionId === chosen?.sessionId);
  if (account === undefined) return seeOther(inFlow(flow, "/ui/login"));
  const client = await deps.clients.find(visit.call.instanceId, request.clientId);
  const present = client && (await findPresentClient(deps.database.read, client));
  if (client === undefined || present === undefined) {
    return seeOther(pathTo(endpointPaths.authorizationCallback, { id: request.authRequestId }));
  }
  // The host on the page is what tells a false name, so it has to be the client's now.
  if (!maySendResponseTo(present, request.parameters)) {
    return showError(deps, visit, { error: "redirect_uri_invalid", client: { name: present.application.name } });
  }
  return { flow, request, account, client, present };
}
