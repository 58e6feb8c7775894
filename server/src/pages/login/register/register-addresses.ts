import { type Flow, inFlow } from "../flow/flow.ts";

export const confirmPath = "/ui/login/register/confirm";

/**
 * Returns the link of the confirmation message, as a template of the outbox: for the browser that registers the
 * account.
 */
export function confirmTemplate(flow: Flow): string {
  const path = inFlow(flow, confirmPath);
  return `${flow.visit.request.instance.origin}${path}${path.includes("?") ? "&" : "?"}code={{.Code}}`;
}

/** Returns where a user with an existing account signs in. */
export const signInAddress = ({ visit }: Flow): string => `${visit.request.instance.origin}/ui/login`;
