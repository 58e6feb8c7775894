import assert from "node:assert/strict";
import type { TestApi } from "../servers/server.ts";

/** Lets an administrator of the instance trust an application with users' tokens for our APIs. */
export async function trustForApi(
  server: TestApi,
  { applicationId }: { readonly applicationId: string },
  projectId: string,
): Promise<void> {
  const { status, body } = await server.connect("service.application.v2.ApplicationService/UpdateApplication", {
    applicationId,
    projectId,
    oidcConfiguration: { trustedForApi: true },
  });
  assert.equal(status, 200, JSON.stringify(body));
}
