import type { Tx } from "../../database/index.ts";
import { readSettings, type SecuritySettings } from "../settings/index.ts";
import type { Registration } from "./registration.ts";

/** The settings no longer let the client register, or a registered one manage itself. */
export class RegistrationOff extends Error {
  override readonly name = "RegistrationOff";
  /** Whether callers with the permission may still register clients. */
  readonly isOpenToCallers: boolean;

  constructor({ isOpenToCallers }: { readonly isOpenToCallers: boolean }) {
    super("the settings do not let the client register");
    this.isOpenToCallers = isOpenToCallers;
  }
}

/**
 * Step: returns the security settings, if they let clients register. They may have changed since the request: other
 * servers are asked about what clients say of themselves. Throws `RegistrationOff`.
 */
export async function requireRegistration(
  tx: Tx,
  { by }: { readonly by: Registration["kind"] | "itself" },
): Promise<SecuritySettings> {
  const { settings } = await readSettings(tx, "security", { instanceId: tx.instanceId });
  const { enabled, allowUnauthenticated } = settings.dynamicClientRegistration;
  if (!enabled || (by === "open" && !allowUnauthenticated)) throw new RegistrationOff({ isOpenToCallers: enabled });
  return settings;
}
