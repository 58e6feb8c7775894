import { sql, type Tx } from "../../../src/database/index.ts";
import { queueLogoutNotices } from "../../../src/domain/logout-notice/index.ts";
import type { Session } from "../../../src/domain/session/index.ts";
import type { OidcServer } from "../../support/oidc/oidc.ts";
import { testCall } from "../../support/operations/call.ts";

/** What ends: so many sessions, each with all of these clients. */
export interface Ending {
  readonly clientIds: readonly string[];
  readonly sessions?: number;
  /** How SAML service providers know the user. */
  readonly nameId?: string;
}

let ended = 0;

/** Ends sessions that were signed in to the clients. Nothing wakes the delivery. */
export async function endSessionsOf(server: OidcServer, { clientIds, sessions = 1, nameId }: Ending): Promise<void> {
  const { database, findInstanceByHost } = server.app.domain;
  const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
  const endOne = async (tx: Tx): Promise<void> => {
    const sessionId = `ended-${ended++}`;
    for (const clientId of clientIds) {
      await tx.run(sql`insert into session_clients (instance_id, session_id, client_id, name_id)
        values (${instanceId}, ${sessionId}, ${clientId}, ${nameId ?? null})`);
    }
    await queueLogoutNotices(tx, [{ sessionId, userId: "u", details: { ownerId: "o" } } as Session]);
  };
  await database.touch(testCall({ instanceId, now: server.clock.now }), async (tx) => {
    for (let index = 0; index < sessions; index++) await endOne(tx);
  });
}
