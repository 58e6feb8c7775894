import assert from "node:assert/strict";
import { test } from "node:test";
import { createSystemServiceClient } from "@zitadel/client/v1";
import { startWithSystemUser } from "../../support/sdk/server.ts";
import { transportsTo } from "../../support/sdk/transports.ts";
import { createSdk, trips } from "../../support/sdk/trips.ts";

test("@zitadel/client creates, reads, changes and deletes over each transport", async (t) => {
  const { server, systemToken } = await startWithSystemUser(t);
  for (const [by, transport] of Object.entries(transportsTo(server.origin, server.ownerToken))) {
    const sdk = createSdk(transport);
    const { org } = await sdk.management.getMyOrg({});
    const at = { ...sdk, name: by.toLowerCase().replaceAll(" ", "-"), organizationId: org?.id ?? "" };
    for (const [what, trip] of Object.entries(trips)) {
      await trip(at).catch((cause: Error) => {
        throw new Error(`${what} over ${by}: ${cause.message}`, { cause });
      });
    }
  }
  for (const [by, transport] of Object.entries(transportsTo(server.origin, systemToken))) {
    assert.equal((await createSystemServiceClient(transport).listInstances({})).result.length, 1, by);
  }
});
