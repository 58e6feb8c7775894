import assert from "node:assert/strict";
import { type Sql, sql } from "../../../src/database/index.ts";
import { keysAt } from "../../factor/key-support.ts";
import { addApp } from "../../factor/support.ts";
import { oidcAt, putProvider } from "../../support/identity-provider/identity-providers.ts";
import { testCall } from "../../support/operations/call.ts";
import { addOrganization, addPerson, goodPassword, type Person } from "../../support/people/people.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { type Authenticator, createAuthenticator } from "../../support/sign-in/authenticator.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import { appCode } from "../../support/sign-in/totp.ts";

/** Everything that settings have an effect on. */
export interface SettingsFixtures {
  readonly server: TestServer;
  readonly client: SignInClient;
  readonly ada: Person;
  /** Has an authenticator app. */
  readonly bea: Person;
  readonly codeOfBea: () => string;
  /** Has a passkey. */
  readonly cyd: Person;
  readonly deviceOfCyd: Authenticator;
  readonly providerId: string;
}

/** Makes everything that settings have an effect on. */
export async function createSettingsFixtures(server: TestServer): Promise<SettingsFixtures> {
  const ada = await addPerson(server, { username: "ada" });
  const bea = await addPerson(server, { username: "bea" });
  const cyd = await addPerson(server, { username: "cyd", password: goodPassword });
  const deviceOfCyd = createAuthenticator({ origin: "http://localhost" });
  await keysAt(server).register(cyd.userId, deviceOfCyd, "Passkey");
  const phone = { userId: ada.userId, phone: "+41791234567", isVerified: true };
  assert.equal((await server.connect("service.user.v2.UserService/SetPhone", phone)).status, 200);
  await discoverable(server);
  const codeOfBea = await addCode(server, bea);
  server.clock.now += 60_000;
  return {
    server,
    client: await addClient(server),
    ada,
    bea,
    codeOfBea,
    cyd,
    deviceOfCyd,
    providerId: await putProvider(server, { configuration: oidcAt("https://provider.example") }),
  };
}

/** Makes another organization, with a verified domain. */
async function discoverable(server: TestServer): Promise<void> {
  const organizationId = await addOrganization(server, "Discovered");
  await write(
    server,
    (instanceId) => sql`update organization_domains set domain = 'discovered.example', is_verified = 1, is_proven = 1
    where instance_id = ${instanceId} and organization_id = ${organizationId}`,
  );
}

/** Changes all sessions as if a provider had identified their users. */
export const vouchFor = ({ server }: SettingsFixtures): Promise<void> =>
  write(
    server,
    (instanceId) => sql`update sessions set password_checked_at = null,
      factors = ${JSON.stringify({ intentCheckedAt: server.clock.now })} where instance_id = ${instanceId}`,
  );

async function write({ app: { domain }, clock }: TestServer, statement: (instanceId: string) => Sql): Promise<void> {
  const instanceId = (await domain.findInstanceByHost("localhost"))?.instanceId ?? "";
  await domain.database.touch(testCall({ instanceId, now: clock.now }), (tx) => tx.run(statement(instanceId)));
}

/** Gives a user an authenticator app; returns the code that it shows at the moment. */
export async function addCode(server: TestServer, person: Person): Promise<() => string> {
  const secret = await addApp(server, person, (made) => appCode(made, server.clock.now));
  // A code signs in once.
  server.clock.now += 60_000;
  return () => appCode(secret, server.clock.now);
}
