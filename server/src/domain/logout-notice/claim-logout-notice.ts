import type { Clock } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { claimNotice, hasDueNotice, type NoticesToLeave } from "./logout-notice.store.ts";
import type { LogoutNotice } from "./logout-notice.ts";

export interface QueueDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Claims one attempt at a due notice of any instance and client, except the given ones; undefined when none is due. */
export async function claimLogoutNotice(
  { database, clock }: QueueDeps,
  except: NoticesToLeave = { instanceIds: [], clientIds: [] },
): Promise<LogoutNotice | undefined> {
  const now = clock();
  // Most sessions have no client to notify, and a read is cheaper than a transaction.
  if (!(await hasDueNotice(database.read, now, except))) return undefined;
  const call: Call = { instanceId: "", requestId: "logout notices", now, language: "en" };
  return database.touch(call, (tx) => claimNotice(tx, except));
}
