import type { App } from "../../../src/app.ts";
import { sql } from "../../../src/database/index.ts";
import { testCall } from "../operations/call.ts";

const usual = {
  oidc: { accessTokenLifetimeSeconds: 12 * 3600, idTokenLifetimeSeconds: 12 * 3600 },
  login: { allowRegister: true },
} as const;

/**
 * Gives an instance that was just made what most tests rely on without being about it: tokens that outlive what a test
 * does with its clock, and users who may make an account. Written past the events, which some tests count.
 */
export async function useUsualSettings({ domain }: App, instanceId: string): Promise<void> {
  await domain.database.touch(testCall({ instanceId }), async (tx) => {
    for (const [kind, change] of Object.entries(usual)) {
      const row = await tx.maybe<{ document: string }>(sql`select document from settings
        where instance_id = ${instanceId} and organization_id = '' and kind = ${kind}`);
      const document = JSON.stringify({ ...JSON.parse(row?.document ?? "{}"), ...change });
      await tx.run(sql`update settings set document = ${document}
        where instance_id = ${instanceId} and organization_id = '' and kind = ${kind}`);
    }
  });
}
