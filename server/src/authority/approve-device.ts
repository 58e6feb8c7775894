import type { Call, Preparation } from "../call/index.ts";
import type { Database } from "../database/index.ts";
import type { Client } from "../domain/application/index.ts";
import { giveConsent } from "../domain/consent/index.ts";
import {
  type Approval,
  type DeviceAuthorization,
  decideDeviceAuthorization,
} from "../domain/device-authorization/index.ts";
import { consentWordsOf } from "./consent-words-of.ts";
import type { AuthorityContext } from "./context.ts";
import { needsConsent } from "./needs-consent.ts";
import { isStillAsShown } from "./shown-consent.ts";

/** `decided`: the user decided before. `changed`: the client is no longer what the user was shown. */
export type DeviceApproval = "approved" | "decided" | "changed";

/**
 * Approves a device for a user who was shown its client and scope, and keeps the consent where the client needs one, so
 * that each refresh finds it.
 */
export async function approveDevice(
  { database, context }: { readonly database: Database; readonly context: AuthorityContext },
  call: Call,
  given: {
    readonly device: DeviceAuthorization;
    readonly client: Client;
    readonly approval: Approval;
    /** Organization of the user. */
    readonly organizationId: string;
    /** What others know or control of the session in which the user approves. */
    readonly preparedBy: readonly Preparation[];
    /** Only this browser may decide; undefined for a custom login. */
    readonly browserHash: string | undefined;
    /**
     * Digest of what the user was shown (`shownConsent`); undefined for a custom login. A waiting device is denied when
     * its client changes its own registration.
     */
    readonly shown: string | undefined;
  },
): Promise<DeviceApproval> {
  const { device, client, approval, organizationId, preparedBy, browserHash, shown } = given;
  const { deviceAuthorizationId, scope, resources } = device;
  const { userId } = approval;
  const asks = await needsConsent(context, { client, userId }, { scope, resources });
  const scopes = asks ? await consentWordsOf(context, client, { scope, resources }) : [];
  return database.change(call, async (tx) => {
    const isChecked = asks && shown !== undefined;
    if (isChecked && !(await isStillAsShown(tx, client, { shown, words: scopes }))) return "changed";
    if (!(await decideDeviceAuthorization(tx, { deviceAuthorizationId, browserHash, approval }))) return "decided";
    const { clientId } = client;
    if (asks) await giveConsent(tx, { userId, organizationId, clientId, scopes, preparedBy });
    return "approved";
  });
}
