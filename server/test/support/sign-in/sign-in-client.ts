import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createApplication } from "../../../src/domain/application/index.ts";
import type { OidcConfiguration } from "../../../src/domain/oidc-configuration/index.ts";
import { createProject } from "../../../src/domain/project/index.ts";
import { fetch } from "../http/fetch.ts";
import { testCall } from "../operations/call.ts";
import { defaultOrganization } from "../people/people.ts";
import type { TestServer } from "../servers/server.ts";

export const redirectUri = "https://shop.example/callback";

/** An application that users sign in to. */
export interface SignInClient {
  readonly clientId: string;
  readonly applicationId: string;
  readonly projectId: string;
  /** The path that a browser is sent to, with the verifier for the code that comes of it. */
  start(parameters?: Readonly<Record<string, string>>): { readonly path: string; readonly codeVerifier: string };
  /** What the token endpoint answers to the code that a browser was sent back with. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
  exchange(address: string, codeVerifier: string): Promise<{ status: number; body: any }>;
}

/** Returns what begins a sign-in to a client with PKCE. */
export const startOf =
  (clientId: string, ownUri = redirectUri): SignInClient["start"] =>
  (parameters = {}) => {
    const codeVerifier = randomBytes(32).toString("base64url");
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: ownUri,
      response_type: "code",
      scope: "openid",
      state: "s1",
      code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
      code_challenge_method: "S256",
      ...parameters,
    });
    return { path: `/oauth/v2/authorize?${query.toString()}`, codeVerifier };
  };

let count = 0;

/** Registers a public client with PKCE in a project of its own, in the default organization unless another owns it. */
export async function addClient(
  server: TestServer,
  configuration: Partial<OidcConfiguration> = {},
  name = "Shop",
  ownerId?: string,
): Promise<SignInClient> {
  const { domain } = server.app;
  const instance = await domain.findInstanceByHost("localhost");
  assert.ok(instance);
  const organizationId = ownerId ?? (await defaultOrganization(server));
  const [ownUri = redirectUri] = configuration.redirectUris ?? [];
  const call = testCall({ instanceId: instance.instanceId, now: domain.clock() });
  const { application } = await domain.database.change(call, async (tx) => {
    const project = await createProject(tx, domain, { organizationId, name: `Project ${++count}` });
    return createApplication(tx, domain, project, {
      kind: "oidc",
      name,
      configuration: {
        redirectUris: [redirectUri],
        responseTypes: ["code"],
        grantTypes: ["authorization_code", "refresh_token"],
        applicationType: "web",
        authMethod: "none",
        ...configuration,
      },
    });
  });
  const { clientId = "", applicationId, projectId } = application;
  return {
    clientId,
    applicationId,
    projectId,
    start: startOf(clientId, ownUri),
    exchange: async (address, codeVerifier) => {
      const code = new URL(address).searchParams.get("code") ?? "";
      const response = await fetch(`${server.origin}/oauth/v2/token`, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code,
          redirect_uri: ownUri,
          client_id: clientId,
          code_verifier: codeVerifier,
        }),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}
