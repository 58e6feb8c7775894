import { Fault } from "../../base/fault.ts";

/** Rejects an organization that inherits from its instance: it has no branding of its own to change. */
export function requireOwn(organizationId: string, isOwn: boolean): void {
  if (organizationId !== "" && !isOwn) throw new Fault("not_found", "branding.not_own");
}
