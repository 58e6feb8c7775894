import type { StepOutcome } from "../../../domain/sign-in/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import { withSecret } from "../../visit/handlers.ts";
import { type Flow, findFlow, isFlow, pageOf, showGone, whereNext } from "./flow.ts";

/** Leads to where a step ended, with the browser's new secret when it has one. */
export async function arrive(deps: PageDeps, flow: Flow, outcome: StepOutcome): Promise<WebResponse> {
  const { visit } = flow;
  switch (outcome.outcome) {
    case "signed_in": {
      const next = await whereNext(deps, flow, outcome.organizationId, outcome.sessionId);
      return seeOther(next, withSecret(visit, outcome.browser));
    }
    case "next": {
      const browser = outcome.browser ?? visit.browser;
      const now = await findFlow(deps, { ...visit, browser });
      return isFlow(now) ? seeOther(pageOf(now, now.at.state), withSecret(visit, outcome.browser)) : now;
    }
    case "gone":
      return showGone(deps, visit);
    default:
      return outcome satisfies never;
  }
}
