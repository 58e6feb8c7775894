import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { type Database, join, sql, type Tx } from "../../src/database/index.ts";
import { TooMuchForOneUnit } from "../../src/database/too-much.ts";
import { revokeOwnClient } from "../../src/domain/token/index.ts";
import { personCall } from "../oauth/token-exchange/person-call.ts";
import { basicOf, type OidcServer, type TestClient } from "../support/oidc/oidc.ts";
import { minimal, registered, setRegistration } from "../support/oidc/registration.ts";
import type { Person } from "../support/people/people.ts";
import type { TestServer } from "../support/servers/server.ts";

/** Registers a client that needs the consent of users. */
export async function addForeignClient(server: OidcServer): Promise<TestClient> {
  await setRegistration(server, "open");
  const wanted = { ...minimal, grant_types: ["authorization_code", "refresh_token"] };
  const { client_id: clientId, client_secret: clientSecret } = await registered(server, wanted, null);
  const redirectUri = minimal.redirect_uris[0] ?? "";
  return { applicationId: "", clientId, clientSecret, redirectUri, basic: basicOf(clientId, clientSecret) };
}

/** Signs in and returns the refresh token of a new family. */
export async function refreshTokenOf(server: OidcServer, client: TestClient, user: Person): Promise<string> {
  const tokens = await server.tokens({ client, user, scope: "openid offline_access" });
  return tokens["refresh_token"] ?? assert.fail("no refresh token");
}

/** Renews a token; undefined once the client no longer may. */
export async function renew(server: OidcServer, client: TestClient, token: string): Promise<string | undefined> {
  const parameters = { grant_type: "refresh_token", refresh_token: token };
  const { status, body } = await server.form("/oauth/v2/token", parameters, client.basic);
  assert.ok(status === 200 || body.error === "invalid_grant", `${status} ${body.error}`);
  return body.refresh_token;
}

/** The user takes everything from the client, as on the page of applications with access. */
export async function takeAway(server: OidcServer, { clientId }: TestClient, { userId }: Person): Promise<void> {
  await revokeOwnClient(server.app.domain, await personCall(server, userId), { clientId });
}

/** Returns what sets the steady clock forward: a call that waits has then waited for long. */
export function steadyClock(t: TestContext): (milliseconds: number) => void {
  const now = performance.now.bind(performance);
  let added = 0;
  t.mock.method(performance, "now", () => now() + added);
  return (milliseconds) => {
    added += milliseconds;
  };
}

/** Does something at the end of each batch that changes of this caller do first. */
export function atBatch(database: Database, userId: string, atEnd: (tx: Tx) => Promise<void>): void {
  const { change } = database;
  database.change = (call, work) =>
    change.call(database, call, async (tx) => {
      try {
        return await work(tx);
      } catch (error) {
        if (!(error instanceof TooMuchForOneUnit) || call.caller?.userId !== userId) throw error;
        const perform = async (own: Tx): Promise<boolean> => {
          const hasMore = await error.perform(own);
          await atEnd(own);
          return hasMore;
        };
        throw new TooMuchForOneUnit(perform);
      }
    }) as ReturnType<typeof work>;
}

/** Users who let a client act for them, made up or given, each with live tokens of it. */
export async function addConsents(
  server: TestServer,
  clientId: string,
  users: number | { readonly userIds: readonly string[] },
): Promise<void> {
  const { database, findInstanceByHost } = server.app.domain;
  const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
  const call = { instanceId, requestId: "consents", now: server.clock.now, language: "en" } as const;
  const userIds =
    typeof users === "number" ? Array.from({ length: users }, (_, index) => `user-${index}`) : users.userIds;
  await database.touch(call, async (tx) => {
    const rows = userIds.map(
      (userId) => sql`(${tx.instanceId}, ${userId}, ${clientId}, 'openid', 1, ${tx.now}, ${tx.now})`,
    );
    await tx.run(sql`insert into consents (instance_id, user_id, client_id, scope, sequence, created_at, changed_at)
      values ${join(rows, ", ")}`);
    for (const userId of userIds)
      for (const number of [1, 2])
        await tx.run(sql`insert into token_families (instance_id, family_id, client_id, user_id, scope, audience,
            authentication_methods, created_at, expires_at, sequence)
          values (${tx.instanceId}, ${`${clientId}-${userId}-${number}`}, ${clientId}, ${userId}, 'openid', ${clientId},
            'pwd', ${tx.now}, ${tx.now + 3_600_000}, 1)`);
  });
}
