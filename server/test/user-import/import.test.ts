import assert from "node:assert/strict";
import { test } from "node:test";
import { oidcAt, putProvider } from "../support/identity-provider/identity-providers.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { linesOf, readMetadata, readUser, runImport, sample, signsIn } from "./support.ts";

/** Creates a project with roles. */
async function addProject(server: TestServer, roleKeys: readonly string[]): Promise<string> {
  const service = "service.project.v2.ProjectService";
  const organizationId = await defaultOrganization(server);
  const { body } = await server.connect(`${service}/CreateProject`, { organizationId, name: "Shop" });
  const projectId = body.projectId ?? body.id;
  for (const roleKey of roleKeys) {
    const role = { projectId, roleKey, displayName: roleKey };
    assert.equal((await server.connect(`${service}/AddProjectRole`, role)).status, 200);
  }
  return projectId;
}

async function rolesOf(server: TestServer, userId: string): Promise<readonly string[]> {
  const { body } = await server.connect("service.authorization.v2.AuthorizationService/ListAuthorizations", {
    filters: [{ inUserIds: { ids: [userId] } }],
  });
  return (body.authorizations ?? []).flatMap(({ roles }: { roles: { key: string }[] }) => roles.map(({ key }) => key));
}

async function linksOf(server: TestServer, userId: string): Promise<readonly string[]> {
  const { body } = await server.connect("service.user.v2.UserService/ListIDPLinks", { userId });
  return (body.result ?? []).map((link: { userId: string; userName: string }) => `${link.userId} ${link.userName}`);
}

const kc = (digit: number): string => `3f0c0a5e-7b0e-4c1f-9a3b-0d6f3f1b2a1${digit}`;

eachServer((start) => {
  test("users of Keycloak sign in with their old passwords and apps, and have their roles, links and states", async (t) => {
    const server = await start(t);
    const google = await putProvider(server, { configuration: oidcAt("https://google.example") });
    const projectId = await addProject(server, ["buyer"]);
    const args = [sample("keycloak-realm.json"), "--from", "keycloak", "--project", projectId];
    const given = [...args, "--provider", `google=${google}`];

    const checked = await runImport(t, server, [...given, "--dry-run"]);
    assert.equal(checked.code, 0, checked.said);
    assert.equal(checked.result.created, 3);
    assert.equal((await server.connect("service.user.v2.UserService/GetUserByID", { userId: kc(1) })).status, 404);

    const done = await runImport(t, server, given);
    assert.equal(done.code, 0, done.said);
    assert.deepEqual(done.result.created, 3);
    assert.equal(done.result.skipped, 1);
    assert.deepEqual(done.lines, checked.lines, "the dry run told everything");
    assert.deepEqual(linesOf(done, "ada").toSorted(), ["lost groups", "lost links", "lost roles"]);
    assert.deepEqual(linesOf(done, "cyd"), ["changed givenName", "changed familyName"]);

    const ada = await readUser(server, kc(1));
    assert.deepEqual(
      [ada.username, ada.human.profile.preferredLanguage, ada.human.email.isVerified],
      ["ada", "de", true],
    );
    assert.ok(!(await signsIn(server, "ada", { password: "Keycloak old password 2" })), "not with another password");
    assert.ok(await signsIn(server, "ada", { password: "Keycloak old password 1", secret: adaSecret }));
    assert.deepEqual(await rolesOf(server, kc(1)), ["buyer"]);
    assert.deepEqual(await linksOf(server, kc(1)), ["1029384756 ada@gmail.example"]);
    assert.deepEqual(await readMetadata(server, kc(1)), { plan: "gold", teams: '["red","blue"]' });

    assert.equal((await readUser(server, kc(2))).state, "USER_STATE_INACTIVE");
    assert.deepEqual(await rolesOf(server, kc(2)), ["buyer"]);
    assert.ok(!(await signsIn(server, "bob", { password: "Keycloak old password 2" })), "disabled");
    await server.connect("service.user.v2.UserService/ReactivateUser", { userId: kc(2) });
    assert.ok(await signsIn(server, "bob", { password: "Keycloak old password 2" }), "once enabled again");

    const cyd = await readUser(server, kc(3));
    assert.deepEqual([cyd.human.passwordChangeRequired, cyd.human.email.isVerified ?? false], [true, false]);
    assert.ok(await signsIn(server, "cyd", { password: "Argon old password 1" }));

    // What was changed here since stays: bob was enabled, and has no role any longer.
    const again = await runImport(t, server, given);
    assert.equal(again.code, 0, again.said);
    assert.deepEqual([again.result.created, again.result.existing, again.result.completed], [0, 3, 0]);
    assert.deepEqual(linesOf(again, "bob"), ["exists id"]);
    assert.equal((await readUser(server, kc(2))).state, "USER_STATE_ACTIVE");
  });

  test("users of Auth0 and Firebase sign in with their old passwords", async (t) => {
    const server = await start(t);
    const google = await putProvider(server, { configuration: oidcAt("https://google.example") });
    const hashes = ["--password-hashes", sample("auth0-hashes.ndjson")];
    const auth0 = await runImport(t, server, [
      sample("auth0-users.ndjson"),
      "--from=auth0",
      ...hashes,
      `--provider=google-oauth2=${google}`,
    ]);
    assert.equal(auth0.code, 0, auth0.said);
    assert.equal(auth0.result.created, 2);
    const dan = "auth0|5dea9f9c82dd7c0e76e4ec93";
    const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
    assert.ok(await signsIn(server, "dan@mail.example", { password: "Auth0 old password 1", secret }));
    assert.deepEqual(await linksOf(server, dan), ["77889900 dan@gmail.example"]);
    const picture = "https://img.example/dan.png";
    assert.deepEqual(await readMetadata(server, dan), { theme: "dark", seats: "3", "app.plan": "pro", picture });
    await server.connect("service.user.v2.UserService/ReactivateUser", { userId: "auth0|euclid" });
    assert.ok(await signsIn(server, "eve@mail.example", { password: "Auth0 old password 2" }), "by its alt_id");

    const firebase = await runImport(t, server, [
      sample("firebase-users.json"),
      "--from=firebase",
      `--hash-config=${sample("firebase-hash-config.txt")}`,
      `--provider=google.com=${google}`,
      "--missing-email-domain=users.example",
    ]);
    assert.equal(firebase.code, 0, firebase.said);
    assert.equal(firebase.result.created, 2);
    const fay = "Qm7k2ZtYb1gHnE4xWc9sVr3uLpA2";
    // The example of Firebase's own documentation of its hash.
    assert.ok(await signsIn(server, "fay@mail.example", { password: "user1password" }));
    assert.ok(!(await signsIn(server, "fay@mail.example", { password: "user2password" })));
    assert.ok(await signsIn(server, "fay@mail.example", { password: "user1password" }), "hashed anew");
    assert.equal((await readUser(server, fay)).human.phone.phone, "+41791234567");
    const phoneOnly = await readUser(server, "aN0therLocalId00000000000002");
    assert.equal(phoneOnly.human.email.email, "aN0therLocalId00000000000002@users.example");
    assert.equal(phoneOnly.state, "USER_STATE_INACTIVE");
    for (const secretText of ["$2b$10$", "$firebase", "jxspr8Ki", "lSrfV15c", secret]) {
      assert.ok(!(auth0.said + firebase.said).includes(secretText), secretText);
    }
  });

  test("users of Cognito and of tables are imported, and what is invalid is reported row by row", async (t) => {
    const server = await start(t);
    const files = [sample("cognito-users.json"), sample("cognito-users.csv")];
    const cognito = await runImport(t, server, [...files, "--from=cognito"]);
    assert.equal(cognito.code, 0, cognito.said);
    assert.equal(cognito.result.created, 3);
    const gus = "7d1f0f5e-20f4-4a57-8f4b-1a2b3c4d5e6f";
    assert.equal((await readUser(server, gus)).username, "gus@mail.example");
    assert.deepEqual(await readMetadata(server, gus), { tenant: "blue" });
    assert.equal((await readUser(server, "ida")).human.phone.isVerified, true);
    assert.deepEqual(linesOf(cognito, "ida"), ["lost password", "lost mfa"]);

    const columns = [
      "id=Nr",
      "email=E-Mail",
      "emailVerified=Bestätigt",
      "givenName=Vorname",
      "familyName=Nachname",
      "passwordHash=Hash",
      "totpSecret=Secret",
      "metadata.note=Bemerkung",
    ];
    const table = await runImport(t, server, [sample("people.csv"), "--from", "csv", "--map", ...columns]);
    assert.equal(table.code, 1, table.said);
    assert.deepEqual([table.result.created, table.result.failed], [3, 2]);
    assert.deepEqual(
      table.lines.map(({ row, what, field }) => `${row} ${what} ${field}`),
      ["4 lost password", "5 failed email", "6 failed username"],
    );
    assert.ok(await signsIn(server, "jan@mail.example", { password: "Table old password 1" }));
    const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
    assert.ok(await signsIn(server, "kim@mail.example", { password: "Table old password 2", secret }));
    assert.equal((await readUser(server, "1002")).human.profile.familyName, 'Kay, "K"');
    assert.deepEqual(await readMetadata(server, "1002"), { note: "two\nlines" });
    assert.ok(!table.said.includes("SSHA"), "no hashes in the report");
  });
});

// The characters of the secret in the export are the key itself.
const adaSecret = toBase32("cvHZzYz4lTqjQ0nB3xkS");

function toBase32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? [])
    .map((each) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(each, 2)])
    .join("");
}
