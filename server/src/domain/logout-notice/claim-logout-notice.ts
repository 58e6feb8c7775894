import type { Clock } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { claimNotice, hasDueNotice } from "./logout-notice.store.ts";
import type { LogoutNotice } from "./logout-notice.ts";

export interface QueueDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Claims one attempt at a notice that is due, of any instance; undefined when there is none. */
export async function claimLogoutNotice({ database, clock }: QueueDeps): Promise<LogoutNotice | undefined> {
  const now = clock();
  // Most sessions have nobody to tell, and asking is cheaper than a transaction.
  if (!(await hasDueNotice(database.read, now))) return undefined;
  const call: Call = { instanceId: "", requestId: "logout notices", now, language: "en" };
  return database.touch(call, claimNotice);
}
