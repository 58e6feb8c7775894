import { createPrivateKey, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { basicOf, setUpOidc } from "../../support/oidc/oidc.ts";
import { type ServerProcess, startServerProcess } from "../../support/servers/command.ts";
import { apiOf, type TestApi } from "../../support/servers/server.ts";
import type { CrashLocation } from "./crash-location.ts";
import { goodAnswer, type Robot, type Target } from "./workload.ts";

/** A server that can be started again at the same address with the same data. */
export interface Victim {
  readonly target: Target;
  /** The process that runs now. */
  process: ServerProcess;
  start(): Promise<void>;
}

/** Starts `doorward start` as a process on an empty database, and makes what the writes need. */
export async function startVictim(t: TestContext, location: CrashLocation): Promise<Victim> {
  const patFile = join(location.directory, "pat");
  const environment = {
    ...location.environment,
    DOORWARD_HOST: "127.0.0.1",
    DOORWARD_MASTER_KEY: randomBytes(32).toString("base64"),
    DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE: patFile,
    DOORWARD_LOG_LEVEL: "error",
    DOORWARD_RATE_LIMIT_TOKEN: "0",
    DOORWARD_RATE_LIMIT_INTROSPECTION: "0",
  };
  const start = (port?: number): Promise<ServerProcess> =>
    startServerProcess(t, ["start"], {
      in: location.directory,
      environment,
      isAlone: true,
      ...(port !== undefined && { port }),
    });
  const process = await start();
  const target = await setUp(apiOf(process.origin, readFileSync(patFile, "utf8").trim()));
  const victim: Victim = {
    target,
    process,
    start: async () => {
      victim.process = await start(process.port);
    },
  };
  return victim;
}

async function setUp(api: TestApi): Promise<Target> {
  const oidc = await setUpOidc(api);
  const jwtClient = await oidc.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
  const { userId, password } = oidc.user;
  const body = { checks: { user: { userId }, password: { password } } };
  const session = await goodAnswer(api.rest("POST", "/v2/sessions", { body }));
  const makeAccount = async (username: string, machine: object): Promise<string> => {
    const account = { organizationId: oidc.organizationId, username, machine: { name: username, ...machine } };
    return (await goodAnswer(api.rest("POST", "/v2/users/new", { body: account }))).id;
  };
  const stranger = await makeAccount("stranger", {});
  const expirationDate = "2100-01-01T00:00:00Z";
  const { token } = await goodAnswer(api.rest("POST", `/v2/users/${stranger}/pats`, { body: { expirationDate } }));
  const makeRobot = async (username: string, accessTokenType: string): Promise<Robot> => {
    const id = await makeAccount(username, { accessTokenType });
    const { clientSecret } = await goodAnswer(api.rest("POST", `/v2/users/${id}/secret`, { body: {} }));
    const { keyContent } = await goodAnswer(api.rest("POST", `/v2/users/${id}/keys`, { body: { expirationDate } }));
    const { key, keyId } = JSON.parse(Buffer.from(keyContent, "base64").toString("utf8"));
    return { userId: id, basic: basicOf(username, clientSecret), keyId, privateKey: createPrivateKey(key) };
  };
  return {
    ...api,
    ...oidc,
    jwtClient,
    strangerToken: token,
    session: { sessionId: session.sessionId, sessionToken: session.sessionToken },
    robots: [
      await makeRobot("opaque-robot", "ACCESS_TOKEN_TYPE_BEARER"),
      await makeRobot("jwt-robot", "ACCESS_TOKEN_TYPE_JWT"),
    ],
  };
}
