import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { freePort } from "../support/http/free-port.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addPerson, appoint, defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { makeDirectory, runCommand } from "../support/servers/command.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly setting?: string;
  readonly fix?: string;
}

async function harden(t: TestContext, environment: Record<string, string>, ...args: string[]) {
  const options = { in: makeDirectory(t), environment };
  const { code, stdout } = await runCommand(t, ["doctor", "--hardening", ...args, "--json"], options);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  const found = findings.filter(({ check }) => check === "hardening");
  for (const { level, message, setting, fix } of found) {
    if (level !== "ok") assert.ok(level === "warning" && setting && fix, `"${message}" names no setting or no fix`);
  }
  return { code, messages: found.map(({ message }) => message) };
}

const locationOf = ({ location }: TestServer): Record<string, string> =>
  location.url === undefined
    ? { DOORWARD_DATA_DIR: location.directory ?? "" }
    : { DOORWARD_DATABASE_URL: location.url };

const strict = (): Record<string, string> => ({
  DOORWARD_BASE_URL: "https://id.example.com",
  DOORWARD_MASTER_KEY: randomBytes(32).toString("base64"),
  DOORWARD_ASSERTION_AUDIENCE: "issuer",
  DOORWARD_COMMAND_LINE: "browser",
  DOORWARD_RATE_LIMIT_LOGIN: "60",
  DOORWARD_RATE_LIMIT_TOKEN: "1200",
});

async function alter(server: TestServer, statement: ReturnType<typeof sql>): Promise<void> {
  const { domain } = server.app;
  const instanceId = (await domain.findInstanceByHost("localhost"))?.instanceId ?? "";
  const call = { instanceId, requestId: "r", now: server.clock.now, language: "en" } as const;
  await domain.database.touch(call, (tx) => tx.run(statement));
}

test("doctor --hardening judges the settings of the process, and its warnings alone do not fail", async (t) => {
  const loose = {
    DOORWARD_OPERATIONS_LISTEN: "0.0.0.0:9090",
    DOORWARD_RATE_LIMIT_LOGIN: "0",
    DOORWARD_SMS_LIMIT: "0",
  };
  const found = await harden(t, loose, "--port", String(await freePort()));
  assert.equal(found.code, 0);
  const expected = [
    /served on 0\.0\.0\.0/,
    /has no TLS/,
    /RATE_LIMIT_LOGIN is off/,
    /RATE_LIMIT_TOKEN permits 6000 requests a minute/,
    /SMS_LIMIT is off/,
    /endpoint as aud/,
    /device codes, which strangers can send/,
  ];
  for (const pattern of expected) assert.match(found.messages.join("\n"), pattern);
  assert.equal(found.messages.length, expected.length);
  const tight = { ...strict(), DOORWARD_OPERATIONS_LISTEN: "127.0.0.1:9090" };
  const { messages } = await harden(t, tight, "--port", String(await freePort()));
  assert.deepEqual(messages, ["everything is as strict as docs/hardening.md asks"]);
  const plain = await runCommand(t, ["doctor", "--json"], { in: makeDirectory(t) });
  assert.doesNotMatch(plain.stdout, /hardening/, "it is looked at when asked for alone");
});

test("doctor --hardening finds nothing in the defaults of the strict profile, and what the operator loosened", async (t) => {
  const tight = {
    DOORWARD_PROFILE: "strict",
    DOORWARD_BASE_URL: "https://id.example.com",
    DOORWARD_MASTER_KEY: randomBytes(32).toString("base64"),
    DOORWARD_OPERATIONS_LISTEN: "127.0.0.1:9090",
  };
  const port = ["--port", String(await freePort())];
  const { messages } = await harden(t, tight, ...port);
  assert.deepEqual(messages, ["everything is as strict as docs/hardening.md asks"]);
  const loosened = {
    DOORWARD_ASSERTION_AUDIENCE: "issuer-or-endpoints",
    DOORWARD_COMMAND_LINE: "true",
    DOORWARD_RATE_LIMIT_LOGIN: "61",
    DOORWARD_RATE_LIMIT_TOKEN: "1201",
  };
  const found = (await harden(t, { ...tight, ...loosened }, ...port)).messages;
  assert.deepEqual(found, [
    "DOORWARD_RATE_LIMIT_TOKEN permits 1201 requests a minute",
    "DOORWARD_RATE_LIMIT_LOGIN permits 61 requests a minute",
    "client assertions may name an endpoint as audience",
    "the command line signs users in by device codes, which strangers can send",
  ]);
});

eachServer((start) => {
  test("doctor --hardening finds weak settings, users, accounts, domains, keys and applications, until they are mended", async (t) => {
    const server = await start(t, { isFresh: true });
    const { createClient } = await setUpOidc(server);
    const ines = await addPerson(server, { username: "ines" });
    await appoint(server, ines, { organizationId: await defaultOrganization(server) }, ["ORG_OWNER"]);
    const environment = { ...strict(), ...locationOf(server) };
    const port = ["--port", String(await freePort())];
    const judge = async () => (await harden(t, environment, ...port)).messages.join("\n");

    const fresh = await judge();
    assert.match(fresh, /access tokens live for 3600 s/);
    assert.match(fresh, /no second factor is required/);
    assert.match(fresh, /1 administrators have no second factor: ines@/);
    assert.match(fresh, /service accounts have tokens or keys that never expire: bootstrap/);
    assert.match(fresh, /applications may sign in without PKCE: /);
    assert.match(fresh, /a second factor counts for 18 h/);
    assert.doesNotMatch(fresh, /anyone may|need no proof|implicit|http redirect|older than|id tokens|unproven/);
    assert.doesNotMatch(fresh, /a password counts|at an identity provider counts|a passkey counts/);

    const { domain } = server.app;
    await changeSettings(server, "oidc", { accessTokenLifetimeSeconds: 601, idTokenLifetimeSeconds: 3601 });
    await changeSettings(server, "login", {
      allowRegister: true,
      ignoreUnknownUsernames: false,
      passwordCheckLifetimeSeconds: 864_000,
      externalLoginCheckLifetimeSeconds: 360_000,
      secondFactorCheckLifetimeSeconds: 72_000,
      multiFactorCheckLifetimeSeconds: 45_000,
    });
    await changeSettings(server, "password_complexity", { minLength: 8 });
    await changeSettings(server, "lockout", { maxPasswordAttempts: 5 });
    await changeSettings(server, "domain", { requireOrganizationDomainProof: false });
    await changeSettings(server, "security", {
      embeddedIframe: { enabled: true, allowedOrigins: ["https://a.example"] },
      enableImpersonation: true,
      skipConsentAcrossOrganizations: true,
      dynamicClientRegistration: { enabled: true, allowUnauthenticated: true },
      clientIdMetadataDocument: { enabled: true, allowedUrls: [], allowAnyUrl: true },
    });
    await createClient({
      redirectUris: ["http://app.example/callback"],
      responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
      grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"],
      developmentMode: true,
    });
    await alter(server, sql`update organization_domains set is_proven = 0 where is_primary = 1`);
    await alter(server, sql`update signing_keys set created_at = 1`);
    const loose = await judge();
    for (const pattern of [
      /access tokens live for 601 s/,
      /id tokens live for 3601 s/,
      /anyone may create an account/,
      /reveals which names exist/,
      /a password counts for 240 h/,
      /a sign-in at an identity provider counts for 100 h/,
      /a second factor counts for 20 h/,
      /a passkey counts for 12\.5 h/,
      /passwords of 8 characters/,
      /with 5 wrong passwords/,
      /domains need no proof/,
      /anyone may register clients/,
      /document at any address/,
      /impersonation is permitted/,
      /users of other organizations without consent/,
      /show the login in a frame/,
      /implicit grant/,
      /http redirect URIs/,
      /in development mode/,
      /primary domains are unproven/,
      /signing keys are older than 365 days/,
    ]) {
      assert.match(loose, pattern);
    }

    const raised = (await harden(t, { ...environment, DOORWARD_PROFILE: "strict" }, ...port)).messages.join("\n");
    assert.doesNotMatch(
      raised,
      /tokens live|anyone|any address|without consent|implicit|PKCE|names exist|counts for|characters|need no proof/,
      "the profile enforces these",
    );
    for (const pattern of [
      /no second factor is required/,
      /impersonation is permitted/,
      /show the login in a frame/,
      /http redirect URIs/,
      /signing keys are older/,
    ]) {
      assert.match(raised, pattern, "and leaves these to administrators");
    }

    await changeSettings(server, "oidc", { accessTokenLifetimeSeconds: 600, idTokenLifetimeSeconds: 3600 });
    const login = { allowRegister: false, ignoreUnknownUsernames: true, forceMfa: true };
    await changeSettings(server, "login", {
      ...login,
      passwordCheckLifetimeSeconds: 43_200,
      externalLoginCheckLifetimeSeconds: 43_200,
      secondFactorCheckLifetimeSeconds: 43_200,
      multiFactorCheckLifetimeSeconds: 43_200,
    });
    await changeSettings(server, "password_complexity", { minLength: 12 });
    await changeSettings(server, "lockout", { maxPasswordAttempts: 0 });
    await changeSettings(server, "domain", { requireOrganizationDomainProof: true });
    await changeSettings(server, "security", {
      embeddedIframe: { enabled: false, allowedOrigins: [] },
      enableImpersonation: false,
      skipConsentAcrossOrganizations: false,
      dynamicClientRegistration: { enabled: true, allowUnauthenticated: false },
      clientIdMetadataDocument: { enabled: true, allowedUrls: [], allowAnyUrl: false },
    });
    await alter(server, sql`update applications set state = 'inactive'`);
    await alter(server, sql`update organization_domains set is_proven = 1`);
    await alter(server, sql`update signing_keys set created_at = ${domain.clock()}`);
    await alter(server, sql`update personal_access_tokens set expires_at = ${domain.clock()}`);
    await alter(
      server,
      sql`insert into user_factors (instance_id, user_id, kind, state, failed_checks, created_at, changed_at)
        select instance_id, user_id, 'otp_email', 'ready', 0, 1, 1 from users where kind = 'human'`,
    );
    assert.equal(await judge(), "everything is as strict as docs/hardening.md asks");
  });
});
