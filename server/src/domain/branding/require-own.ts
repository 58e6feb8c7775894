import { Fault } from "../../base/fault.ts";

/** Refuses an organization that follows its instance: there is no look of its own that could be changed. */
export function requireOwn(organizationId: string, isOwn: boolean): void {
  if (organizationId !== "" && !isOwn) throw new Fault("not_found", "branding.not_own");
}
