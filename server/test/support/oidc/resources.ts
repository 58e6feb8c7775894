import assert from "node:assert/strict";
import type { TestApi } from "../servers/server.ts";
import { basicOf, type TestClient } from "./oidc.ts";

const service = "service.resource.v2.ResourceService";

/** Registers a resource in a project; returns its id. */
export async function addResource(
  server: TestApi,
  projectId: string,
  uri: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const made = await server.connect(`${service}/CreateResource`, { projectId, uri, name: "Tools", ...given });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body.id;
}

/** Calls a method about a resource that has to succeed. */
export async function changeResource(server: TestApi, method: string, body: object): Promise<void> {
  const { status, body: answer } = await server.connect(`${service}/${method}`, body);
  assert.equal(status, 200, JSON.stringify(answer));
}

/** Makes an API application in a project, which introspects tokens. */
export async function addApi(server: TestApi, projectId: string, name = "API"): Promise<TestClient> {
  const made = await server.connect("service.application.v2.ApplicationService/CreateApplication", {
    projectId,
    name,
    apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_BASIC" },
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { clientId, clientSecret } = made.body.apiConfiguration;
  const { applicationId } = made.body;
  return { applicationId, clientId, clientSecret, redirectUri: "", basic: basicOf(clientId, clientSecret) };
}
