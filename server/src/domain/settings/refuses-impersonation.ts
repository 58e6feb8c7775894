import type { Reader } from "../../database/index.ts";
import { readSettings } from "./settings-reader.ts";

/**
 * Whether an organization, or for its administrators the instance, refuses that others act as one of its users, where
 * the instance permits it. Reads the rows, so that refusing takes effect on every node immediately.
 */
export async function refusesImpersonation(
  reader: Reader,
  scope: { readonly instanceId: string; readonly organizationId: string; readonly userId: string },
): Promise<boolean> {
  return (await readSettings(reader, "login", scope)).settings.refuseImpersonation;
}
