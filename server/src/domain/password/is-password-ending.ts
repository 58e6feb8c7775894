import { days } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { findPasswordRow } from "./password.store.ts";

/**
 * Returns whether a user's password will soon be too old: in the days in which the settings want a warning
 * (`expireWarnDays`).
 */
export async function isPasswordEnding(
  deps: { readonly database: Database; readonly settings: SettingsReader },
  { instanceId, now }: Call,
  userId: string,
): Promise<boolean> {
  const row = await findPasswordRow(deps.database.read, instanceId, userId);
  if (row === undefined || row.passwordHash === null) return false;
  const { settings } = await deps.settings.get("password_expiry", {
    instanceId,
    organizationId: row.organizationId,
    userId,
  });
  const { maxAgeDays, expireWarnDays } = settings;
  return (
    maxAgeDays > 0 && expireWarnDays > 0 && (row.passwordChangedAt ?? 0) + days(maxAgeDays - expireWarnDays) <= now
  );
}
