import { type FlowAddress, inFlow } from "../flow/flow.ts";

/**
 * Returns the page that shows the state of an attempt at a provider: it is correct after reloading, going back or
 * opening it twice.
 */
export const externalPage = (flow: FlowAddress, intentId: string) =>
  inFlow(flow, "/ui/login/external", { intent: intentId });
