import { type Call, createAccess } from "../../../src/call/index.ts";
import type { OidcServer } from "../../support/oidc/oidc.ts";
import { testCall } from "../../support/operations/call.ts";

/** Returns a call of a person of the default organization, as the account pages make it. */
export async function personCall(server: OidcServer, userId: string): Promise<Call> {
  const { domain } = server.app;
  const { instanceId = "" } = (await domain.findInstanceByHost("localhost")) ?? {};
  const { organizationId } = server;
  return testCall({ instanceId, now: domain.clock(), caller: { userId, organizationId, access: createAccess([]) } });
}
