import assert from "node:assert/strict";
import { type FormAnswer, type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import type { ServerOptions, TestServer } from "../../support/servers/server.ts";

type StartContext = Parameters<typeof startOidcServer>[0];

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** A public client on a device without a browser. */
export const deviceConfiguration = {
  applicationType: "OIDC_APP_TYPE_NATIVE",
  authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_DEVICE_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
  redirectUris: ["http://localhost/callback"],
} as const;

export interface Waiting {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

export interface DeviceServer extends OidcServer {
  readonly device: TestClient;
  ask(parameters?: Readonly<Record<string, string>>, headers?: Readonly<Record<string, string>>): Promise<FormAnswer>;
  /** Starts waiting. */
  wait(scope?: string): Promise<Waiting>;
  poll(deviceCode: string, more?: Readonly<Record<string, string>>): Promise<FormAnswer>;
  /** Id of the device that waits under a code. */
  idOf(userCode: string): Promise<string>;
  /** Decides through the API, as a login that is not ours: with a session of the person, or without to refuse. */
  decide(userCode: string, session?: Session): ReturnType<TestServer["rest"]>;
  session(): Promise<Session>;
}

interface Session {
  readonly sessionId: string;
  readonly sessionToken: string;
}

/** Starts a server with a device client. */
export async function startDeviceServer(t: StartContext, options: ServerOptions = {}): Promise<DeviceServer> {
  return withDevice(await startOidcServer(t, options));
}

export async function withDevice(server: OidcServer): Promise<DeviceServer> {
  const device = await server.createClient(deviceConfiguration);
  const ask: DeviceServer["ask"] = (parameters = {}, headers = {}) =>
    server.form("/oauth/v2/device_authorization", { client_id: device.clientId, ...parameters }, headers);
  const idOf: DeviceServer["idOf"] = async (userCode) => {
    const { status, body } = await server.rest("GET", `/v2/oidc/device_authorization/${userCode}`, {
      token: server.loginToken,
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body.deviceAuthorizationRequest.id;
  };
  return {
    ...server,
    device,
    ask,
    wait: async (scope = "openid") => {
      const { status, body } = await ask({ scope });
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
    poll: (deviceCode, more = {}) =>
      server.form("/oauth/v2/token", {
        grant_type: deviceGrant,
        device_code: deviceCode,
        client_id: device.clientId,
        ...more,
      }),
    idOf,
    decide: async (userCode, session) =>
      server.rest("POST", `/v2/oidc/device_authorization/${await idOf(userCode)}`, {
        token: server.loginToken,
        body: session === undefined ? { deny: {} } : { session },
      }),
    session: async () => {
      const { userId, password } = server.user;
      const checks = { user: { userId }, password: { password } };
      const { sessionId, sessionToken } = (await server.rest("POST", "/v2/sessions", { body: { checks } })).body;
      return { sessionId, sessionToken };
    },
  };
}
