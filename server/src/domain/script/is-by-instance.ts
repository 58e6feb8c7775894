import { type Call, requireCaller, withoutLoginClient } from "../../call/index.ts";

/** Whether the caller may write the scripts of every organization, so that what they write counts for all of them. */
export const isByInstance = (call: Call): boolean =>
  withoutLoginClient(requireCaller(call).access).allows("org.action.write", {});
