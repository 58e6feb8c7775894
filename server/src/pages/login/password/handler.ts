import { findWantedLink } from "../../../domain/identity-provider-intent/index.ts";
import type { Session } from "../../../domain/session/index.ts";
import {
  enterPassword,
  findResubmission,
  isPossible,
  isResetOffered,
  keyOf,
  listFittingSessions,
} from "../../../domain/sign-in/index.ts";
import type { Href } from "../../../html/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { hostOf, type Visit } from "../../visit/visit.ts";
import { errorsOf, type Flow, findFlow, inFlow, isFlow, pageOf, pageOfSignedIn } from "../flow/flow.ts";
import { forgottenPath } from "../flow/forgotten-path.ts";
import { redirectForOutcome } from "../flow/redirect-for-outcome.ts";
import { shownNameOf } from "../flow/shown-name.ts";
import { offeredPasskey } from "../key/handler.ts";
import { passwordPage } from "./view.ts";

/** `/ui/login/password`: the password of the named user. */
export const showPassword: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, client } = flow;
  if (!isPossible("enter_password", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  // Signed in meanwhile, in another tab: there is nothing left to prove.
  const fitting = await listFittingSessions(deps, visit.call, flow.steps);
  const session = fitting.find(({ userId }) => userId === signIn.userId);
  if (session !== undefined && !(await isForLink(deps, flow))) return seeOther(pageOfSession(flow, session));
  const passkey = await offeredPasskey(deps, flow);
  const isForgettable = await isResetOffered(deps, visit.call, flow.steps, signIn);
  const loginName = await shownNameOf(deps, flow);
  return show(deps, flow.visit, (context) =>
    passwordPage(context, {
      passkey,
      forgotHref: isForgettable ? inFlow(flow, forgottenPath) : undefined,
      action: inFlow(flow, "/ui/login/password"),
      client,
      loginName,
      changeHref: inFlow(flow, "/ui/login"),
      errors: errorsOf(deps, context, flow, ["password"]),
    }),
  );
};

// A session that was there before is no proof for the account at a provider that the user signs in to link.
async function isForLink({ database }: PageDeps, { visit, steps }: Flow): Promise<boolean> {
  const { instanceId, now } = visit.call;
  return (await findWantedLink(database.read, instanceId, keyOf(steps), now)) !== undefined;
}

export const pageOfSession = (flow: Flow, { sessionId }: Session): Href =>
  flow.authRequestId === undefined
    ? pageOfSignedIn(flow, sessionId)
    : inFlow(flow, "/ui/login/continue", { session: sessionId });

export const takePassword: FormHandler = async (deps, visit, form) => {
  const password = form.get("password") ?? "";
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return (await answerResubmittedPassword(deps, visit, password)) ?? flow;
  const { signIn, steps } = flow;
  if (!isPossible("enter_password", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  return redirectForOutcome(deps, flow, await enterPassword(deps, visit.call, steps, { signIn, password }));
};

/**
 * Answers a resubmission of a password form. The first submission signed the user in, and the password proves that the
 * second is the same user's. Undefined for any other form.
 */
export async function answerResubmittedPassword(
  deps: PageDeps,
  visit: Visit,
  password: string,
): Promise<WebResponse | undefined> {
  const former = await findResubmittedFlow(deps, visit);
  return (
    former &&
    redirectForOutcome(
      deps,
      former,
      await enterPassword(deps, visit.call, former.steps, { signIn: former.signIn, password }),
    )
  );
}

/** Returns the login before a resubmitted form; undefined for any other. */
export async function findResubmittedFlow(deps: PageDeps, visit: Visit): Promise<Flow | undefined> {
  const authRequestId = visit.query.get("authRequest");
  if (authRequestId === null) return undefined;
  const resubmission = await findResubmission(deps, visit.call, { authRequestId, browserHash: visit.browser.hash });
  if (resubmission === undefined) return undefined;
  const { authRequest, signIn } = resubmission;
  const steps = { browserHash: visit.browser.hash, authRequest, userAgent: {}, host: hostOf(visit.request) };
  const none = { deviceId: undefined, goal: undefined, client: undefined };
  return { visit, steps, signIn: { ...signIn, state: "identified" }, authRequestId, ...none };
}
