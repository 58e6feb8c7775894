import { consentWordsOf, readConsentWords } from "../../../authority/index.ts";
import { type Client, staysOnDevice } from "../../../domain/application/index.ts";
import { declineAuthRequest, noteConsent } from "../../../domain/auth-request/index.ts";
import { giveConsent } from "../../../domain/consent/index.ts";
import { type BrowserAccount, listBrowserAccounts } from "../../../domain/session/index.ts";
import { listFittingSessions } from "../../../domain/sign-in/index.ts";
import { endpointPaths, type WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
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
}

/** `/ui/login/consent`: asks whether this untrusted application may have the requested access to the chosen account. */
export const showConsent: PageHandler = async (deps, visit) => {
  const asked = await findAsked(deps, visit);
  if (!("account" in asked)) return asked;
  const { flow, request, account } = asked;
  const client = await deps.clients.find(visit.call.instanceId, request.clientId);
  const { userId = "", organizationId = "" } = account.session;
  const { scopes, resources, resourceScopes } = readConsentWords(await findWords(deps, visit, request, client));
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
      name: flow.client?.name ?? request.clientId,
      host: hostOf(request),
      ...(client && (await findClientFace(deps, client, "consent"))),
    },
    owner: await findOwner(deps, visit, client, { userId, organizationId }),
    topics,
    permissions,
    sessionId: account.session.sessionId,
    otherAccountHref: inFlow(flow, "/ui/login/accounts"),
  };
  // Not letting the application in is the way back.
  return show(deps, flow.visit, (context) => consentPage(context, model), { isReturnOffered: false });
};

export const takeConsent: FormHandler = async (deps, visit, form) => {
  const asked = await findAsked(deps, visit);
  if (!("account" in asked)) return asked;
  const { flow, request, account } = asked;
  const { authRequestId, clientId } = request;
  const { browserHash } = flow.steps;
  const { sessionId, userId = "", organizationId = "" } = account.session;
  const decision = form.get("decision");
  if (decision === "deny") {
    await deps.database.touch(visit.call, (tx) => declineAuthRequest(tx, { authRequestId, browserHash }));
  }
  // Another account may have been chosen in another tab since the page was shown: consent for one account does not
  // apply to another.
  if (decision === "allow" && form.get("session_id") === sessionId) {
    const client = await deps.clients.find(visit.call.instanceId, clientId);
    const scopes = await findWords(deps, visit, request, client);
    const isNoted = await deps.database.touch(visit.call, (tx) =>
      noteConsent(tx, { authRequestId, browserHash, sessionId }),
    );
    if (isNoted) {
      const consent = { userId, organizationId, clientId, scopes };
      await deps.database.change(visit.call, (tx) => giveConsent(tx, consent));
    }
  }
  return seeOther(pathTo(endpointPaths.authorizationCallback, { id: authRequestId }));
};

/** Returns what the user permits by letting the client in. */
const findWords = async (
  deps: PageDeps,
  visit: Visit,
  { parameters }: Asked["request"],
  client: Client | undefined,
): Promise<string[]> =>
  consentWordsOf(await authorityOf(deps, visit), { organizationId: client?.organizationId ?? "" }, parameters);

const hostOf = ({ parameters: { redirectUri } }: Asked["request"]): string | undefined =>
  staysOnDevice(redirectUri) ? undefined : URL.parse(redirectUri)?.host;

/** Returns the request with its chosen account; else the page to choose it on. */
async function findAsked(deps: PageDeps, visit: Visit): Promise<Asked | WebResponse> {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const request = flow.steps.authRequest;
  if (request === undefined) return seeOther(inFlow(flow, "/ui/login"));
  const fitting = await listFittingSessions(deps, visit.call, flow.steps);
  const chosen = fitting.find(({ sessionId }) => sessionId === request.sessionId);
  const accounts = await listBrowserAccounts(deps.database.read, visit.call.instanceId, visit.browser.hash);
  const account = accounts.find(({ session }) => session.sessionId === chosen?.sessionId);
  return account === undefined ? seeOther(inFlow(flow, "/ui/login")) : { flow, request, account };
}
