import { noAccess } from "../../../call/index.ts";
import type { Client } from "../../../domain/application/index.ts";
import { noteImpersonation } from "../../../domain/auth-request/index.ts";
import {
  endImpersonationHere,
  findImpersonationHere,
  type ImpersonationHere,
} from "../../../domain/impersonation/index.ts";
import { listSignedInSessions } from "../../../domain/session/index.ts";
import { findUser, type HumanUser } from "../../../domain/user/index.ts";
import type { PageContext } from "../../../html/index.ts";
import { endpointPaths, type WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import type { Visit } from "../../visit/visit.ts";
import { type Flow, findFlow, inFlow, isFlow } from "../flow/flow.ts";
import { startAt } from "../flow/start-at.ts";
import { impersonationEndedPage, impersonationPage } from "./view.ts";

const path = "/ui/login/impersonation";

/** An impersonation that is open in this browser. */
interface Asked {
  readonly flow: Flow;
  readonly here: ImpersonationHere;
  readonly user: HumanUser;
  readonly client: Client;
}

/**
 * `/ui/login/impersonation`: with a waiting application, asks the administrator whether to go on there as the user,
 * each time; without one, says where the impersonation of the address works. Both can end it.
 */
export const showImpersonation: PageHandler = async (deps, visit) => {
  const asked = await findAsked(deps, visit);
  if (!("here" in asked)) return asked;
  const { flow, user, client, here } = asked;
  const { reason, expiresAt, impersonationId } = here.impersonation;
  const isWaiting = flow.authRequestId !== undefined;
  const model = {
    action: pageOf(flow),
    client: { name: client.name },
    account: {
      displayName: user.displayName,
      loginName: user.preferredLoginName,
      avatarFile: user.avatarFile,
    },
    reason,
    expiresAt,
    impersonationId,
    isWaiting,
    startHref: isWaiting ? undefined : startAt(client, visit.request.instance.origin),
  };
  return show(deps, flow.visit, (context) => impersonationPage(context, model), decision);
};

/** Takes `decision`: `allow` goes on as the user, `end` ends the impersonation that the page showed. */
export const takeImpersonation: FormHandler = async (deps, visit, form) => {
  const asked = await findAsked(deps, visit);
  if (!("here" in asked)) return asked;
  const { flow, here } = asked;
  const { impersonationId } = here.impersonation;
  // Another one may have begun since the page was shown.
  if (form.get("impersonation_id") !== impersonationId) return seeOther(pageOf(flow));
  const { authRequestId } = flow;
  if (form.get("decision") === "end") {
    const { actorId: userId, actorOrganizationId: organizationId, sessionId } = here.impersonation;
    const caller = { userId, organizationId, sessionId, access: noAccess };
    await endImpersonationHere(deps, { ...visit.call, caller }, here.impersonation);
    return seeOther(authRequestId === undefined ? pageOf(flow) : inFlow(flow, "/ui/login"));
  }
  if (form.get("decision") !== "allow" || authRequestId === undefined) return seeOther(pageOf(flow));
  const key = { authRequestId, browserHash: flow.steps.browserHash, impersonationId };
  await deps.database.touch(visit.call, (tx) => noteImpersonation(tx, key));
  return seeOther(pathTo(endpointPaths.authorizationCallback, { id: authRequestId }));
};

// Nothing of an organization changes what it says, and no page frames it.
const decision = { isReturnOffered: false, isDecision: true } as const;

const pageOf = (flow: Flow) => inFlow(flow, path, idOf(flow.visit));

const idOf = ({ query }: Visit): { readonly id?: string } => {
  const id = query.get("id");
  return id === null ? {} : { id };
};

/**
 * Returns what is open for the waiting application, or that of the address; otherwise the page that says that it ended.
 */
async function findAsked(deps: PageDeps, visit: Visit): Promise<Asked | WebResponse> {
  const flow = await findFlow(deps, visit, "impersonation");
  if (!isFlow(flow)) return flow;
  const { read } = deps.database;
  const { instanceId } = visit.call;
  const { authRequest } = flow.steps;
  const sessions = visit.isKnown ? await listSignedInSessions(deps, visit.call, visit.browser.hash) : [];
  const wanted =
    authRequest === undefined ? { impersonationId: visit.query.get("id") ?? "" } : { clientId: authRequest.clientId };
  // A sign-in that tries the application is its administrator's own.
  const isTest = authRequest?.parameters.testId !== undefined;
  const here = isTest ? undefined : await findImpersonationHere(read, visit.call, sessions, wanted);
  const client = here && (await deps.clients.find(instanceId, here.impersonation.clientId));
  const user = here && (await findUser(read, instanceId, here.impersonation.userId));
  if (here !== undefined && client !== undefined && user?.kind === "human") return { flow, here, user, client };
  if (authRequest !== undefined) return seeOther(inFlow(flow, "/ui/login"));
  const accountHref = pathTo("/ui/account");
  const draw = (context: PageContext) => impersonationEndedPage(context, { accountHref });
  return show(deps, flow.visit, draw, { ...decision, hasForm: false });
}
