import type { Details } from "../../database/index.ts";
import type { Script } from "./script.ts";

/** The flows and their triggers, at which scripts can run. */
export const triggersOfFlows = {
  external_authentication: ["post_authentication", "pre_creation", "post_creation"],
  complement_token: ["pre_userinfo", "pre_access_token"],
  internal_authentication: ["post_authentication", "pre_creation", "post_creation"],
  complement_saml_response: ["pre_saml_response"],
} as const;

export type FlowName = keyof typeof triggersOfFlows;
export type TriggerName = (typeof triggersOfFlows)[FlowName][number];

/** Whether a flow has a trigger. */
export const hasTrigger = (flow: FlowName, trigger: TriggerName): boolean =>
  triggersOfFlows[flow].some((name) => name === trigger);

/** Which scripts of an organization run in a flow. */
export interface Flow {
  readonly flow: FlowName;
  /** Triggers with scripts, each with its scripts in order, also those that are inactive. */
  readonly triggers: readonly { readonly trigger: TriggerName; readonly scripts: readonly Script[] }[];
  /** Absent where the organization never set anything. */
  readonly details: Details | undefined;
}

/** How many scripts can run at a trigger, one after the other. */
export const mostScriptsOfTrigger = 10;
