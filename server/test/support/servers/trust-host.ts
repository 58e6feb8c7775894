import assert from "node:assert/strict";
import type { TestServer } from "./server.ts";

/** Has messages of the first instance lead to a host, as an administrator allows it. */
export async function trustHost(server: Pick<TestServer, "connect">, trustedDomain: string): Promise<void> {
  const { status, body } = await server.connect("service.instance.v2.InstanceService/AddTrustedDomain", {
    trustedDomain,
  });
  assert.equal(status, 200, JSON.stringify(body));
}
