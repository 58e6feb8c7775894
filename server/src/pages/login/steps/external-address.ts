import { type FlowAddress, inFlow } from "./flow.ts";

/** Where an attempt at a provider stands: reloaded, gone back to or opened twice, it is always the truth. */
export const externalPage = (flow: FlowAddress, intentId: string) =>
  inFlow(flow, "/ui/login/external", { intent: intentId });
