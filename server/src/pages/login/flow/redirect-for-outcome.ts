import { findWantedLink, type IdentityIntent } from "../../../domain/identity-provider-intent/index.ts";
import type { StepOutcome } from "../../../domain/sign-in/index.ts";
import type { Browser, WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import { withSecret } from "../../visit/handlers.ts";
import { type Flow, findFlow, inFlow, isFlow, pageOf, showGone, whereNext } from "./flow.ts";

/**
 * Redirects to the page for the outcome, with the browser's new secret if it has one. `parameters` restore the page for
 * a user who stays on it.
 */
export async function redirectForOutcome(
  deps: PageDeps,
  flow: Flow,
  outcome: StepOutcome,
  parameters: Readonly<Record<string, string>> = {},
): Promise<WebResponse> {
  const { visit } = flow;
  const { now } = visit.call;
  switch (outcome.outcome) {
    case "signed_in": {
      const wanted = await findWantedLink(
        deps.database.read,
        visit.call.instanceId,
        keyOf(flow, outcome.browser ?? visit.browser),
        now,
      );
      if (wanted !== undefined) return seeOther(linkPage(flow, wanted), withSecret(visit, outcome.browser));
      const next = await whereNext(deps, flow, outcome.sessionId);
      return seeOther(next, withSecret(visit, outcome.browser));
    }
    case "next": {
      const browser = outcome.browser ?? visit.browser;
      const next = await findFlow(deps, { ...visit, browser });
      if (!isFlow(next)) return next;
      const { state } = next.signIn;
      const isSame = outcome.browser === undefined && state === flow.signIn.state;
      return seeOther(pageOf(next, state, isSame ? parameters : {}), withSecret(visit, outcome.browser));
    }
    case "gone":
      return showGone(deps, visit);
    default:
      return outcome satisfies never;
  }
}

const keyOf = ({ authRequestId }: Flow, { hash: browserHash }: Browser) => ({ authRequestId, browserHash });

// A user who signed in to link an account at a provider is asked about the link first.
const linkPage = (flow: Flow, { intentId }: IdentityIntent) =>
  inFlow(flow, "/ui/login/external/link", { intent: intentId });
