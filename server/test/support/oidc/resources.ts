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

/** What the file of an application's key has. */
export interface ApplicationKeyFile {
  readonly type: "application";
  readonly keyId: string;
  readonly key: string;
  readonly appId: string;
  readonly clientId: string;
}

/** Makes an API application that introspects tokens with a key, and returns the file of the key. */
export async function addKeyedApi(server: TestApi, projectId: string, name: string): Promise<ApplicationKeyFile> {
  const service = "service.application.v2.ApplicationService";
  const apiConfiguration = { authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" };
  const made = await server.connect(`${service}/CreateApplication`, { projectId, name, apiConfiguration });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { applicationId } = made.body;
  const wanted = { projectId, applicationId, expirationDate: "2100-01-01T00:00:00Z" };
  const key = await server.connect(`${service}/CreateApplicationKey`, wanted);
  assert.equal(key.status, 200, JSON.stringify(key.body));
  return JSON.parse(Buffer.from(key.body.keyDetails, "base64").toString("utf8"));
}
