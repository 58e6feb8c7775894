import assert from "node:assert/strict";
import type { TestApi } from "../servers/server.ts";

/** Returns the name of the present state of an application, as an administrator reads it. */
export async function etagOf(server: Pick<TestApi, "connect">, applicationId: string): Promise<string> {
  const read = await server.connect("service.application.v2.ApplicationService/GetApplication", { applicationId });
  assert.equal(read.status, 200, JSON.stringify(read.body));
  return read.body.application.etag;
}

/** Lets an administrator of the instance trust an application with users' tokens for our APIs. */
export async function trustForApi(
  server: TestApi,
  { applicationId }: { readonly applicationId: string },
  projectId: string,
): Promise<void> {
  const { status, body } = await server.connect("service.application.v2.ApplicationService/UpdateApplication", {
    applicationId,
    projectId,
    etag: await etagOf(server, applicationId),
    oidcConfiguration: { trustedForApi: true },
  });
  assert.equal(status, 200, JSON.stringify(body));
}
