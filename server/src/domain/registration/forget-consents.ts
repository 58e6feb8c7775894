import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../database/index.ts";
import type { Application } from "../application/index.ts";
import { endConsents } from "./end-consents.ts";
import type { Registration } from "./registration.ts";

/** A client as users knew it when they consented: its name, addresses, logo and keys. */
export interface KnownClient {
  readonly application: Application;
  readonly registration: Pick<Registration, "clientName" | "metadata">;
}

/**
 * Step: forgets the consents that users gave to a client that changed itself, and ends what it got by them. They
 * consented to what they were shown, and a client could become another one afterwards.
 */
export async function forgetConsents(tx: Tx, before: KnownClient, after: KnownClient): Promise<void> {
  const isSame =
    isDeepStrictEqual(before.application.configuration, after.application.configuration) &&
    before.registration.clientName === after.registration.clientName &&
    isDeepStrictEqual(before.registration.metadata, after.registration.metadata);
  if (isSame) return;
  await endConsents(tx, after.application.clientId);
}
