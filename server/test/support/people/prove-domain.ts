import assert from "node:assert/strict";
import { sql } from "../../../src/database/index.ts";
import { testCall } from "../operations/call.ts";
import type { TestServer } from "../servers/server.ts";

/** Gives an organization a domain that it has proven to be its own, besides its primary one. */
export async function proveDomain(server: TestServer, organizationId: string, name: string): Promise<void> {
  const { domain } = server.app;
  const instance = (await domain.findInstanceByHost("localhost")) ?? assert.fail("no instance");
  const call = testCall({ instanceId: instance.instanceId, now: domain.clock() });
  await domain.database.touch(call, (tx) =>
    tx.run(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_proven,
      is_primary, validation_type, created_at, changed_at)
      values (${tx.instanceId}, ${organizationId}, ${name}, 1, 1, 0, 'none', ${tx.now}, ${tx.now})`),
  );
}
