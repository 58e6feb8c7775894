import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { sql } from "../../../src/database/index.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { systemUser } from "../../support/people/system-user.ts";
import type { RestAnswer, TestServer } from "../../support/servers/server.ts";

type Unit = "UNIT_REQUESTS_ALL_AUTHENTICATED" | "UNIT_ACTIONS_ALL_RUN_SECONDS";

const requests: Unit = "UNIT_REQUESTS_ALL_AUTHENTICATED";

/** What a test sets; the rest is a quota of requests by the hour since the server's time began. */
interface Terms {
  readonly unit?: Unit;
  readonly amount?: number;
  readonly limit?: boolean;
  readonly from?: string;
  readonly resetInterval?: string;
  readonly notifications?: readonly object[];
}

export interface QuotaServer {
  readonly t: TestContext;
  readonly server: OidcServer;
  readonly instanceId: string;
  readonly config: ReturnType<typeof systemUser>["config"];
  /** A token of the system user, for a time that does not exceed it. */
  token(): string;
  add(terms: Terms, as?: string): Promise<RestAnswer>;
  set(terms: Terms, as?: string): Promise<RestAnswer>;
  remove(as?: string, unit?: Unit): Promise<RestAnswer>;
  /** Calls the API as the owner of the instance. */
  me(on?: TestServer): Promise<RestAnswer>;
  /** What the rows say was used, in requests or milliseconds, the latest period last. */
  used(): Promise<number[]>;
}

/** Starts a server whose operator sets quotas of its instance. */
export async function startQuotaServer(t: TestContext, engine: "sqlite" | "postgres"): Promise<QuotaServer> {
  const { config, tokenFor } = systemUser(t);
  const server = await startOidcServer(t, { engine, config });
  const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? assert.fail();
  const from = new Date(server.clock.now).toISOString();
  const token = () => tokenFor(server);
  const path = `/system/v1/instances/${instanceId}/quotas`;
  const put = (method: string) => (terms: Terms, as?: string) =>
    server.rest(method, path, {
      token: as ?? token(),
      body: { unit: requests, from, resetInterval: "3600s", amount: 5, limit: false, ...terms },
    });
  return {
    t,
    server,
    instanceId,
    config,
    token,
    add: put("POST"),
    set: put("PUT"),
    remove: (as, unit = requests) => server.rest("DELETE", `${path}/${unit}`, { token: as ?? token() }),
    me: (on = server) => on.rest("GET", "/auth/v1/users/me", { token: server.ownerToken }),
    used: async () => {
      await server.app.domain.quotaMeter.fold();
      const rows = await server.app.domain.database.read.all<{ used: number }>(
        sql`select used from quota_usage where instance_id = ${instanceId} order by period_start`,
      );
      return rows.map(({ used }) => used);
    },
  };
}

export const slug = ({ body }: RestAnswer): string | undefined => body.details?.[0]?.debug?.id ?? body.details?.[0]?.id;
