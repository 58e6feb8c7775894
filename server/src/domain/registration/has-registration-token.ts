import type { Reader } from "../../database/index.ts";
import type { Application } from "../application/index.ts";
import { findRegistration } from "./registration.store.ts";

/**
 * Whether an application registered itself and has a registration access token (RFC 7592) that was not revoked. A token
 * ends when others change the application. It counts here while its registrar lacks the permission, because it works
 * again once they have it back.
 */
export async function hasRegistrationToken(
  reader: Reader,
  instanceId: string,
  application: Application,
): Promise<boolean> {
  if (application.kind !== "oidc") return false;
  const managed = await findRegistration(reader, instanceId, application.clientId);
  return managed?.tokenHash !== undefined && managed.isAsLeft;
}
