import { isDeepStrictEqual } from "node:util";
import type { Details, Tx } from "../../database/index.ts";
import { recordOrganizationEvent } from "../organization/index.ts";
import { authorizeDocument, holdForSettings } from "./authorize-document.ts";
import { checkLoginSettings, defaultLoginSettings } from "./documents/login-settings.ts";
import { offeredIn, offeredKind, withOffered } from "./offered.ts";
import {
  deleteStoredSettings,
  findSettingsToCopy,
  lockStoredSettings,
  putStoredSettings,
  toDetails,
} from "./settings.store.ts";
import { withDefaults } from "./with-defaults.ts";

interface OfferedChange {
  readonly organizationId: string;
  /** Returns the ids of the providers that are to be offered; undefined to change nothing here. */
  readonly change: (offered: readonly string[]) => readonly string[] | undefined;
}

/**
 * Step: changes which of its own providers an organization offers beside those of its instance. The rest of its login
 * settings goes on to follow the instance. Returns undefined where nothing was changed here, and where the organization
 * has login settings of its own, which say themselves what is offered.
 */
export async function changeOffered(tx: Tx, { organizationId, change }: OfferedChange): Promise<Details | undefined> {
  await authorizeDocument(tx, tx.call, { organizationId, kind: "login" }, "write");
  // Of two that change them at once, or begin settings of its own, the second finds what the first did.
  await holdForSettings(tx, organizationId);
  if ((await lockStoredSettings(tx, { organizationId, kind: "login" })) !== undefined) return undefined;
  const key = { organizationId, kind: offeredKind };
  const stored = await lockStoredSettings(tx, key);
  const former = offeredIn(stored?.document);
  const offered = change(former);
  if (offered === undefined) return undefined;
  if (stored !== undefined && isDeepStrictEqual(former, offered)) return toDetails(stored, organizationId);
  const ofInstance = await findSettingsToCopy(tx, "login");
  checkLoginSettings(withOffered(withDefaults(defaultLoginSettings, ofInstance?.document), offered));
  const payload = { identityProviderIds: offered };
  const { sequence } = await recordOrganizationEvent(tx, organizationId, {
    type: "organization.login_settings.set",
    payload,
  });
  if (offered.length > 0) {
    const document = JSON.stringify(payload);
    return toDetails(await putStoredSettings(tx, { ...key, document, sequence }), organizationId);
  }
  await deleteStoredSettings(tx, key);
  return { sequence, createdAt: stored?.createdAt ?? tx.now, changedAt: tx.now, ownerId: organizationId };
}
