import type { Clock } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findDueInstance, findDuePayer, listDueNotices } from "./due-notice.store.ts";
import { claimNotice } from "./logout-notice.store.ts";
import type { DueNotice, NoticePayer } from "./logout-notice.ts";

export interface QueueDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Notices that are left for later: of these instances, of these payers, to these clients. */
export interface NoticesToLeave {
  readonly instanceIds: readonly string[];
  readonly payers: readonly NoticePayer[];
  readonly clientIds: readonly string[];
}

/** Who was served last: among the instances, the payers of each, and the clients of each payer. */
export interface NoticeTurns {
  instanceId: string;
  readonly payers: Map<string, NoticePayer>;
  readonly clients: Map<string, string>;
}

// Who is forgotten gets the first turn again.
const mostRemembered = 10_000;
// Several, because other nodes may claim the first ones meanwhile. A transaction may hold many at once, for example
// those of a client that is being deleted; then those of other clients are next.
const candidates = 10;

/** Begins with the first instance, payer and client. */
export const createNoticeTurns = (): NoticeTurns => ({ instanceId: "", payers: new Map(), clients: new Map() });

/** What a look for a notice is given. */
interface Look extends QueueDeps {
  readonly now: number;
  readonly except: NoticesToLeave;
  readonly turns: NoticeTurns;
  /** Clients whose notices a transaction holds. */
  readonly held: Set<string>;
}

/**
 * Claims one attempt at a due notice, of any instance, payer and client except the given ones; undefined when none is
 * due. Instances take turns, in each of them its payers, and of each payer its clients, so that those of one that has
 * many come behind the first one of each other. The notices are listed without a lock, and the claim is a unit of work
 * of one instance.
 */
export async function claimLogoutNotice(
  deps: QueueDeps,
  except: NoticesToLeave = { instanceIds: [], payers: [], clientIds: [] },
  turns: NoticeTurns = createNoticeTurns(),
): Promise<DueNotice | undefined> {
  const look: Look = { ...deps, now: deps.clock(), except, turns, held: new Set() };
  const { read } = deps.database;
  for (const begin of beginnings(turns.instanceId)) {
    let after = begin;
    for (;;) {
      const instanceId = await findDueInstance(read, { now: look.now, after, except: except.instanceIds });
      if (instanceId === undefined) break;
      const claimed = await claimOfInstance(look, instanceId);
      if (claimed !== undefined) {
        turns.instanceId = instanceId;
        return claimed;
      }
      after = instanceId;
    }
  }
  return undefined;
}

/** From the one after the last one to the end, and once more from the beginning. */
const beginnings = (last: string): readonly string[] => (last === "" ? [""] : [last, ""]);

async function claimOfInstance(look: Look, instanceId: string): Promise<DueNotice | undefined> {
  const { database, now, except, turns } = look;
  const last = turns.payers.get(instanceId);
  const kinds = last?.isOfStranger === true ? [true, false] : [false, true];
  const stretches = [
    ...kinds.map((isOfStranger, index) => ({
      isOfStranger,
      begin: index === 0 ? (last?.organizationId ?? null) : null,
    })),
    ...(last === undefined ? [] : [{ isOfStranger: last.isOfStranger, begin: null }]),
  ];
  for (const { isOfStranger, begin } of stretches) {
    const spent = except.payers
      .filter((payer) => payer.instanceId === instanceId && payer.isOfStranger === isOfStranger)
      .map(({ organizationId }) => organizationId);
    let after: string | null = begin;
    for (;;) {
      const organizationId = await findDuePayer(
        database.read,
        { instanceId, isOfStranger },
        { now, after, except: spent },
      );
      if (organizationId === undefined) break;
      const payer: NoticePayer = { instanceId, organizationId, isOfStranger };
      const claimed = await claimOfPayer(look, payer);
      if (claimed !== undefined) {
        remember(turns.payers, instanceId, payer);
        return { ...claimed, organizationId, isOfStranger };
      }
      after = organizationId;
    }
  }
  return undefined;
}

async function claimOfPayer({ database, now, except, turns, held }: Look, payer: NoticePayer) {
  const { instanceId, organizationId, isOfStranger } = payer;
  const key = `${instanceId}/${isOfStranger}/${organizationId}`;
  const call: Call = { instanceId, requestId: "logout notices", now, language: "en" };
  for (const begin of beginnings(turns.clients.get(key) ?? "")) {
    let after = begin;
    for (;;) {
      const options = { now, after, except: [...except.clientIds, ...held], limit: candidates };
      const due = await listDueNotices(database.read, payer, options);
      const [first] = due;
      if (first === undefined) break;
      for (const notice of due) {
        const claimed = await database.touch(call, (tx) => claimNotice(tx, notice));
        if (claimed === undefined) continue;
        remember(turns.clients, key, first.clientId);
        return claimed;
      }
      held.add(first.clientId);
      after = first.clientId;
    }
  }
  return undefined;
}

function remember<Value>(turns: Map<string, Value>, key: string, value: Value): void {
  if (turns.size >= mostRemembered) turns.clear();
  turns.set(key, value);
}
