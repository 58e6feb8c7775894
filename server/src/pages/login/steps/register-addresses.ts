import { type Flow, inFlow } from "./flow.ts";

export const confirmPath = "/ui/login/register/confirm";

/** The link of the message with which an account begins, as a template of the outbox: for the browser that wants it. */
export function confirmTemplate(flow: Flow): string {
  const path = inFlow(flow, confirmPath);
  return `${flow.visit.request.instance.origin}${path}${path.includes("?") ? "&" : "?"}code={{.Code}}`;
}

/** Where somebody signs in who has an account already. */
export const signInAddress = ({ visit }: Flow): string => `${visit.request.instance.origin}/ui/login`;
