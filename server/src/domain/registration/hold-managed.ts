import { seconds } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { loadAccess } from "../administrator-access/index.ts";
import { type Application, holdApplication } from "../application/index.ts";
import { strictLimits } from "../settings/index.ts";
import { findRegistration, type ManagedRegistration } from "./registration.store.ts";
import type { Registration } from "./registration.ts";
import { requireRegistration } from "./require-registration.ts";

/** The permission to register clients in an organization. */
export const registrarPermission = "project.app.register_dynamic";

/**
 * Whether a registration access token still has what gave it. A client that a registrar registered has it from their
 * position, so it ends with the position and with the registrar. Any token ends when an administrator changes the
 * application: they answer for what they saw then.
 */
export async function isTokenFounded(
  reader: Reader,
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  { registration, registrarId, isAsLeft, tokenIssuedAt }: ManagedRegistration,
): Promise<boolean> {
  if (!isAsLeft || (reader.isStrict === true && now - tokenIssuedAt >= seconds(strictLimits.registrationTokenSeconds)))
    return false;
  if (registration.kind === "open") return true;
  if (registrarId === undefined) return false;
  const access = await loadAccess(reader, instanceId, registrarId);
  return access.allows(registrarPermission, { organizationId: registration.organizationId });
}

/**
 * Step: returns a registration and its application, locked, for the bearer of its newest token. Undefined when another
 * request has used the token first, it has ended, or the client does not exist or is deactivated. Throws
 * `RegistrationOff`.
 */
export async function holdManaged(
  tx: Tx,
  { clientId, tokenHash }: { readonly clientId: string; readonly tokenHash: string },
): Promise<{ readonly registration: Registration; readonly application: Application } | undefined> {
  const found = await findRegistration(tx, tx.instanceId, clientId);
  const application = found && (await holdApplication(tx, found.registration.applicationId));
  if (application === undefined) return undefined;
  // Read again under the lock, which all that changes either takes.
  const held = await findRegistration(tx, tx.instanceId, clientId);
  if (held?.isActive !== true || held.tokenHash !== tokenHash) return undefined;
  await requireRegistration(tx, { by: "itself" });
  return (await isTokenFounded(tx, tx.call, held)) ? { registration: held.registration, application } : undefined;
}
