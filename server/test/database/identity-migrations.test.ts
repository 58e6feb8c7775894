import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type DatabaseLocation, openDatabase, sql, type Tx } from "../../src/database/index.ts";
import { eachEngine, makeEmptyPostgres } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

const migrations = fileURLToPath(new URL("../../migrations", import.meta.url));

/** The migrations before a number, as an earlier version shipped them. */
function migrationsBefore(t: TestContext, number: number): string {
  const directory = mkdtempSync(join(tmpdir(), "doorward-migrations-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  for (const name of readdirSync(migrations)) {
    if (Number.parseInt(name, 10) < number) cpSync(join(migrations, name), join(directory, name));
  }
  return directory;
}

async function emptyLocation(t: TestContext, engine: "sqlite" | "postgres"): Promise<DatabaseLocation> {
  if (engine === "postgres") return { url: await makeEmptyPostgres(t) };
  const directory = mkdtempSync(join(tmpdir(), "doorward-test-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return { directory };
}

interface Event {
  readonly kind: "user" | "organization" | "project" | "application";
  readonly id: string;
  readonly type: string;
  readonly payload?: object;
  readonly editor?: string;
  readonly at?: number;
}

let sequence = 0;

const addEvent = (tx: Tx, { kind, id, type, payload = {}, editor, at = 10 }: Event): Promise<number> =>
  tx.run(sql`insert into events (instance_id, aggregate_type, aggregate_id, sequence, type, owner_id, payload,
      editor_user_id, request_id, created_at)
    values (${tx.instanceId}, ${kind}, ${id}, ${++sequence}, ${type}, 'o', ${JSON.stringify(payload)}, ${editor}, 'r', ${at})`);

const addDomain = (tx: Tx, organizationId: string, domain: string, { isVerified = true, at = 10 } = {}) =>
  tx.run(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_primary,
      validation_type, created_at, changed_at)
    values (${tx.instanceId}, ${organizationId}, ${domain}, ${isVerified}, 0, 'none', ${at}, ${at})`);

const addUser = (tx: Tx, userId: string, isVerified: boolean) =>
  tx.run(sql`insert into users (instance_id, user_id, organization_id, kind, state, username, username_key,
      preferred_login_name, login_name_key, display_name, sequence, created_at, changed_at, email, email_key,
      is_email_verified, is_password_change_required, failed_password_checks)
    values (${tx.instanceId}, ${userId}, 'o', 'human', 'active', ${userId}, ${userId}, ${userId}, ${userId}, ${userId}, 1, 5, 5,
      ${`${userId}@mail.example`}, ${`${userId}@mail.example`}, ${isVerified}, 0, 0)`);

eachEngine((_open, engine) => {
  test("identifiers, proven domains and proven addresses of earlier versions are known (A9, A11, A12)", async (t) => {
    const location = await emptyLocation(t, engine);
    const call = testCall();
    const before = await openDatabase({ warn: () => {}, ...location, migrationsDirectory: migrationsBefore(t, 88) });
    await before.touch(call, async (tx) => {
      await tx.run(sql`insert into instances (instance_id, name, state, default_language, default_organization_id,
          system_project_id, sequence, created_at, changed_at)
        values (${tx.instanceId}, 'One', 'active', 'en', 'o', 'p', 1, 1, 1)`);
      for (const kind of ["user", "organization", "project"] as const) {
        await addEvent(tx, { kind, id: `former-${kind}`, type: `${kind}.created` });
        await addEvent(tx, { kind, id: `former-${kind}`, type: `${kind}.deleted` });
      }
      const payload = { clientId: "former-client" };
      await addEvent(tx, { kind: "application", id: "former-app", type: "application.created", payload });
      const address = { clientId: "https://client.example/metadata" };
      await addEvent(tx, { kind: "application", id: "document", type: "application.created", payload: address });

      await tx.run(sql`insert into membership_roles (instance_id, level, resource_id, user_id, role)
        values (${tx.instanceId}, 'instance', ${tx.instanceId}, 'root', 'IAM_OWNER')`);
      const kind = "organization";
      const added = "organization.domain.added";
      await addDomain(tx, "o", "formed.example");
      await addEvent(tx, { kind, id: "o", type: "organization.created", payload: { primaryDomain: "formed.example" } });
      await addDomain(tx, "o", "proven.example");
      await addEvent(tx, { kind, id: "o", type: added, payload: { domain: "proven.example" }, editor: "eve" });
      const proof = { domain: "proven.example" };
      await addEvent(tx, { kind, id: "o", type: "organization.domain.verified", payload: proof, at: 20 });
      await addDomain(tx, "o", "vouched.example");
      await addEvent(tx, { kind, id: "o", type: added, payload: { domain: "vouched.example" }, editor: "root" });
      await addDomain(tx, "o", "claimed.example");
      await addEvent(tx, { kind, id: "o", type: added, payload: { domain: "claimed.example" }, editor: "eve" });
      await addDomain(tx, "o", "open.example", { isVerified: false });
      // It was proven once, removed, and claimed again.
      await addDomain(tx, "o", "again.example", { at: 30 });
      const former = { domain: "again.example" };
      await addEvent(tx, { kind, id: "o", type: "organization.domain.verified", payload: former, at: 20 });
      await addEvent(tx, { kind, id: "o", type: added, payload: former, editor: "eve", at: 30 });

      await addUser(tx, "reader", true);
      const email = "reader@mail.example";
      await addEvent(tx, { kind: "user", id: "reader", type: "user.email.verified", payload: { email }, at: 40 });
      await addUser(tx, "word", true);
      await addEvent(tx, { kind: "user", id: "word", type: "user.created" });
      await addUser(tx, "returned", true);
      const code = { isReturned: true };
      await addEvent(tx, { kind: "user", id: "returned", type: "user.email_verification_code.added", payload: code });
      const own = { email: "returned@mail.example" };
      await addEvent(tx, { kind: "user", id: "returned", type: "user.email.verified", payload: own });
      for (const [id, editor] of [
        ["self", undefined],
        ["external", undefined],
        ["made", "root"],
      ] as const) {
        await addUser(tx, id, true);
        const person = { email: `${id}@mail.example`, isEmailVerified: true };
        await addEvent(tx, { kind: "user", id, type: "user.created", payload: person, ...(editor && { editor }) });
      }
      await addEvent(tx, { kind: "user", id: "external", type: "user.human.externalidp.added" });
      await addUser(tx, "unverified", false);
    });
    await before.close();

    const database = await openDatabase({ warn: () => {}, ...location });
    t.after(() => database.close());
    const { instanceId } = call;
    const identifiers = await database.read.all<{ identifier: string; kind: string }>(
      sql`select identifier, kind from identifiers where instance_id = ${instanceId}`,
    );
    assert.deepEqual(
      identifiers.map(({ identifier, kind }) => `${kind} ${identifier}`).toSorted(),
      [
        `instance ${instanceId}`,
        "organization o",
        ...["user", "organization", "project"].map((kind) => `${kind} former-${kind}`),
        ...["reader", "word", "returned", "unverified", "self", "external", "made"].map((id) => `user ${id}`),
        "application former-app",
        "client former-client",
        "application document",
      ].toSorted(),
    );
    const proven = await database.read.all<{ domain: string }>(
      sql`select domain from organization_domains where instance_id = ${instanceId} and is_proven = 1 order by domain`,
    );
    assert.deepEqual(
      proven.map(({ domain }) => domain),
      ["formed.example", "proven.example", "vouched.example"],
    );
    const users = await database.read.all<{ userId: string; verifiedAt: number | null; provenAt: number | null }>(
      sql`select user_id as "userId", email_verified_at as "verifiedAt", email_proven_at as "provenAt" from users
        where instance_id = ${instanceId} order by user_id`,
    );
    assert.deepEqual(users, [
      { userId: "external", verifiedAt: 5, provenAt: null },
      { userId: "made", verifiedAt: 5, provenAt: null },
      { userId: "reader", verifiedAt: 40, provenAt: 40 },
      { userId: "returned", verifiedAt: 10, provenAt: null },
      { userId: "self", verifiedAt: 5, provenAt: 5 },
      { userId: "unverified", verifiedAt: null, provenAt: null },
      { userId: "word", verifiedAt: 5, provenAt: null },
    ]);
  });

  test("the event log forgets the names of users whom earlier versions deleted, and nothing else", async (t) => {
    const location = await emptyLocation(t, engine);
    const call = testCall();
    const before = await openDatabase({ warn: () => {}, ...location, migrationsDirectory: migrationsBefore(t, 112) });
    await before.touch(call, async (tx) => {
      const named = { username: "kestrel" };
      for (const [id, kind] of [
        ["person", "human"],
        ["robot", "machine"],
        ["twice", "human"],
      ] as const) {
        await addEvent(tx, { kind: "user", id, type: "user.created", payload: { kind, ...named } });
        await addEvent(tx, { kind: "user", id, type: "user.deleted", payload: { kind, ...named } });
      }
      await addUser(tx, "twice", true);
      await addEvent(tx, { kind: "user", id: "alive", type: "user.created", payload: { kind: "human", ...named } });
      await addEvent(tx, { kind: "project", id: "person", type: "project.created", payload: named });
    });
    await before.close();

    const database = await openDatabase({ warn: () => {}, ...location });
    t.after(() => database.close());
    const events = await database.read.all<{ id: string; type: string; payload: string }>(
      sql`select aggregate_id as "id", type, payload from events order by sequence`,
    );
    const naming = events.filter(({ payload }) => payload.includes("kestrel")).map(({ id, type }) => `${id} ${type}`);
    assert.deepEqual(naming, [
      "robot user.created",
      "robot user.deleted",
      "twice user.created",
      "alive user.created",
      "person project.created",
    ]);
  });

  test("links keep the word that they depend on when each organization gets its own", async (t) => {
    const location = await emptyLocation(t, engine);
    const before = await openDatabase({ warn: () => {}, ...location, migrationsDirectory: migrationsBefore(t, 114) });
    await before.touch(testCall(), async (tx) => {
      for (const [account, organizationId] of [
        ["proven", null],
        ["asserted", "o"],
      ] as const) {
        await tx.run(sql`insert into identity_links (instance_id, identity_provider_id, speaker, external_user_id, user_id,
            external_username, asserted_in, created_at, changed_at)
          values (${tx.instanceId}, 'provider', 'speaker', ${account}, 'ada', ${account}, ${organizationId}, 5, 6)`);
      }
    });
    await before.close();

    const database = await openDatabase({ warn: () => {}, ...location });
    t.after(() => database.close());
    const links = await database.read.all(sql`select external_user_id as "account", asserted_in as "assertedIn",
      user_id as "userId", speaker, created_at as "createdAt", changed_at as "changedAt" from identity_links order by 1`);
    const same = { userId: "ada", speaker: "speaker", createdAt: 5, changedAt: 6 };
    assert.deepEqual(links, [
      { account: "asserted", assertedIn: "o", ...same },
      { account: "proven", assertedIn: "", ...same },
    ]);
  });
});
