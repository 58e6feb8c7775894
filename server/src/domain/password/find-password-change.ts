import { days } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { findPasswordRow } from "./password.store.ts";

/**
 * Returns why a user's password has to be replaced before it signs the user in: it must be changed because an
 * administrator set it (`required`), or it is older than the settings allow (`expired`). Undefined when it may stay.
 */
export async function findPasswordChange(
  deps: { readonly database: Database; readonly settings: SettingsReader },
  { instanceId, now }: Call,
  userId: string,
): Promise<"required" | "expired" | undefined> {
  const row = await findPasswordRow(deps.database.read, instanceId, userId);
  if (row === undefined || row.passwordHash === null) return undefined;
  if (row.isChangeRequired === 1) return "required";
  const { settings } = await deps.settings.get("password_expiry", {
    instanceId,
    organizationId: row.organizationId,
    userId,
  });
  const isExpired = settings.maxAgeDays > 0 && (row.passwordChangedAt ?? 0) + days(settings.maxAgeDays) <= now;
  return isExpired ? "expired" : undefined;
}
