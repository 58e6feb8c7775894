import { isDeepStrictEqual } from "node:util";
import { originsIn } from "../../base/names/origins.ts";
import type { Tx } from "../../database/index.ts";
import type { Application } from "./application.ts";
import { deleteOrigins, insertOrigins, isRegistered } from "./application-origin.store.ts";

/**
 * Step: writes the origins of a new application, to which links in messages to users of its organization may lead. The
 * organization did not choose those of a client that registered itself, until an administrator vouches for it.
 */
export function addOrigins(
  tx: Tx,
  application: Application,
  { describesItself }: { readonly describesItself: boolean },
): void {
  if (describesItself && needsVoucher(application)) return;
  insertOrigins(tx, application, originsIn(application.configuration));
}

/**
 * Step: writes the origins of a held application again, if a change may have made them others. An inactive one has
 * none.
 */
export async function putOrigins(tx: Tx, application: Application, former?: Application): Promise<void> {
  const origins = originsIn(application.configuration);
  if (former !== undefined && isDeepStrictEqual(origins, originsIn(former.configuration))) {
    if (needsVoucher(application) === needsVoucher(former)) return;
  }
  const isCounted = application.state === "active" && !(await isOfStranger(tx, application));
  const counted = isCounted ? origins : [];
  deleteOrigins(tx, application.applicationId, counted);
  insertOrigins(tx, application, counted);
}

const isOfStranger = async (tx: Tx, application: Application): Promise<boolean> =>
  needsVoucher(application) && (await isRegistered(tx, tx.instanceId, application.applicationId));

const needsVoucher = ({ configuration }: Application): boolean =>
  "isConsentRequired" in configuration && configuration.isConsentRequired;
