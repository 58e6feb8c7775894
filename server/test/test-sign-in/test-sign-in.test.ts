import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { sql } from "../../src/database/index.ts";
import { openConsole } from "../console/support.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { endOfTests, notesOf, startTesting } from "./support.ts";

/** Claims that differ between two sign-ins. */
const ofOneToken = new Set(["jti", "nonce", "sid", "at_hash", "iat", "exp", "nbf", "auth_time"]);

const withoutThose = (claims: object): object =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !ofOneToken.has(name)));

const contentOf = (token: string): object => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

const scopes = ["openid", "profile", "email", "offline_access"];

eachEngine((_open, engine) => {
  test("a test sign-in says what an application would get, and issues nothing", async (t) => {
    const { server, testerOf } = await startTesting(t, engine);
    const { client, organizationId, user } = server;
    await appoint(server, user, { organizationId }, ["ORG_OWNER"]);
    const ada = await testerOf();
    const jwt = await server.createClient({
      accessTokenType: "OIDC_TOKEN_TYPE_JWT",
      idTokenUserinfoAssertion: true,
      accessTokenRoleAssertion: true,
    });
    const countOf = async (table: "authorization_codes" | "token_families" | "session_clients", clientId: string) => {
      const { read } = server.app.domain.database;
      const rows = {
        authorization_codes: sql`select count(*) as "rows" from authorization_codes where client_id = ${clientId}`,
        token_families: sql`select count(*) as "rows" from token_families where client_id = ${clientId}`,
        session_clients: sql`select count(*) as "rows" from session_clients where client_id = ${clientId}`,
      };
      return Number((await read.maybe<{ rows: number }>(rows[table]))?.rows);
    };

    await t.test("waits for the browser, ends at our page, and tells its administrator once", async () => {
      const { applicationId, clientId } = client;
      const { id, path } = await ada.prepare({ applicationId, scopes });
      assert.deepEqual((await ada.finish({ id, applicationId })).body, {}, "nothing before the sign-in");
      const end = await ada.browser.open(path);
      assert.equal(end.address, endOfTests, "no parameter: neither code nor error");
      const { status, body } = await ada.finish({ id, applicationId });
      assert.equal(status, 200, JSON.stringify(body));
      const { result } = body;
      assert.equal(result.userId, user.userId);
      assert.deepEqual(result.scopes.toSorted(), scopes.toSorted());
      assert.equal(result.hasRefreshToken, true);
      assert.deepEqual([result.accessToken.isJwt ?? false, result.userinfo.claims.email], [false, "ada@example.com"]);
      assert.equal(result.idToken.claims.sub, user.userId);
      const notes = notesOf(result.idToken);
      assert.equal(notes["iss"], "PROTOCOL");
      assert.equal(notes["nonce"], "REQUEST");
      assert.equal(notes["email"], "MISSING_SETTING id_token_userinfo_assertion");
      assert.equal(notes["phone_number"], "MISSING_SCOPE phone");
      assert.equal(notesOf(result.userinfo)["email"], "SCOPE email");
      assert.equal(notesOf(result.userinfo)["nickname"], "MISSING_VALUE");
      assert.equal((await ada.finish({ id, applicationId })).status, 404, "the result is given once");
      assert.equal((await ada.browser.open(path)).status, 400, "the address works once");
      for (const table of ["authorization_codes", "token_families", "session_clients"] as const) {
        assert.equal(await countOf(table, clientId), 0, table);
      }
      // What is counted is there after a real sign-in.
      await server.tokens({ scope: "openid" });
      assert.equal(await countOf("token_families", clientId), 1);
    });

    await t.test("the claims are those of real tokens of the same sign-in", async () => {
      const { applicationId } = jwt;
      const { id, path } = await ada.prepare({ applicationId, scopes });
      await ada.browser.open(path);
      const { result } = (await ada.finish({ id, applicationId })).body;
      const real = await server.tokens({ client: jwt, scope: scopes.join(" ") });
      assert.deepEqual(withoutThose(result.idToken.claims), withoutThose(contentOf(real["id_token"] ?? "")));
      assert.deepEqual(withoutThose(result.accessToken.claims), withoutThose(contentOf(real["access_token"] ?? "")));
      const { body } = await server.rest("GET", "/oidc/v1/userinfo", { token: real["access_token"] ?? "" });
      assert.deepEqual(result.userinfo.claims, body);
      assert.equal(
        notesOf(result.accessToken)["urn:service:iam:org:project:roles"],
        "MISSING_SCOPE urn:service:iam:org:projects:roles",
      );
    });

    await t.test("an error is told to the administrator, with the attempt that failed", async () => {
      const { projectId } = server;
      const project = { projectId, authorizationRequired: true };
      const set = await server.connect("service.project.v2.ProjectService/UpdateProject", project);
      assert.equal(set.status, 200, JSON.stringify(set.body));
      const { applicationId } = client;
      const { id, path } = await ada.prepare({ applicationId });
      assert.equal((await ada.browser.open(path)).address, endOfTests);
      const { error } = (await ada.finish({ id, applicationId })).body;
      assert.equal(error.error, "access_denied");
      const filters = [{ referenceFilter: { reference: error.reference } }];
      const found = await server.connect("service.sign_in_attempt.v2.SignInAttemptService/ListSignInAttempts", {
        filters,
      });
      assert.equal(found.body.attempts?.length, 1, JSON.stringify(found.body));
      await server.connect("service.project.v2.ProjectService/UpdateProject", {
        projectId,
        authorizationRequired: false,
      });
    });

    await t.test("with a fresh sign-in, the result is about the user who signs in with the window", async () => {
      const { applicationId } = client;
      const bob = await addPerson(server, { username: "bob" });
      server.clock.now += minutes(1);
      const { id, path } = await ada.prepare({ applicationId, requiresSignIn: true });
      const page = await ada.browser.open(path);
      assert.match(page.address, /^\/ui\/login\?/);
      assert.deepEqual(
        (await ada.finish({ id, applicationId })).body,
        {},
        "the session of the console does not answer",
      );
      const named = await ada.browser.submit(page, { login_name: bob.loginName });
      const next = await ada.browser.submit(named, { password: bob.password });
      assert.equal(next.address, endOfTests, next.html);
      assert.equal((await ada.finish({ id, applicationId })).body.result.userId, bob.userId);
    });
  });

  test("a test sign-in is of no use to others", async (t) => {
    const { server, testerOf } = await startTesting(t, engine);
    const { client, organizationId, user, projectId } = server;
    const { applicationId, clientId } = client;
    await appoint(server, user, { organizationId }, ["ORG_OWNER"]);
    const ada = await testerOf();
    const control = async () => {
      const { id, path } = await ada.prepare({ applicationId });
      assert.equal((await ada.browser.open(path)).address, endOfTests);
      return { id, applicationId };
    };

    await t.test("only the browser of its administrator may use the address", async () => {
      const other = await testerOf();
      const bob = await testerOf(await addPerson(server, { username: "bob" }));
      const { id, path } = await ada.prepare({ applicationId });
      for (const browser of [new TestBrowser(server), other.browser, bob.browser]) {
        const { status, redirects } = { status: (await browser.open(path)).status, redirects: browser.redirects };
        assert.deepEqual([status, redirects], [400, []]);
      }
      const foreign = path.replace(clientId, (await server.createClient()).clientId);
      assert.equal((await ada.browser.open(foreign)).status, 400, "of another application");
      assert.equal((await ada.browser.open(path)).address, endOfTests);
      assert.equal((await ada.finish({ id, applicationId })).status, 200);
    });

    await t.test("only the session that prepared it gets the result", async () => {
      const given = await control();
      const eve = await addPerson(server, { username: "eve" });
      await appoint(server, eve, { organizationId }, ["ORG_OWNER"]);
      for (const other of [await testerOf(), await testerOf(eve)]) {
        assert.equal((await other.finish(given)).status, 404);
      }
      const another = { ...given, applicationId: (await server.createClient()).applicationId };
      assert.equal((await ada.finish(another)).status, 404, "of another application");
      assert.equal((await ada.finish(given)).body.result.userId, user.userId);
    });

    await t.test("it needs the permission to change the application, also at its end", async () => {
      const carl = await addPerson(server, { username: "carl" });
      const tester = await testerOf(carl);
      assert.equal((await tester.create({ applicationId, scopes: ["openid"] })).status, 404);
      await appoint(server, carl, { projectId }, ["PROJECT_OWNER_VIEWER"]);
      assert.equal((await tester.create({ applicationId, scopes: ["openid"] })).status, 403);
      const members = "service.internal_permission.v2.InternalPermissionService";
      const given = { userId: carl.userId, resource: { projectId } };
      const raised = await server.connect(`${members}/UpdateAdministrator`, { ...given, roles: ["PROJECT_OWNER"] });
      assert.equal(raised.status, 200, JSON.stringify(raised.body));
      const { id, path } = await tester.prepare({ applicationId });
      assert.equal((await tester.browser.open(path)).address, endOfTests);
      await server.connect(`${members}/UpdateAdministrator`, { ...given, roles: ["PROJECT_OWNER_VIEWER"] });
      assert.equal((await tester.finish({ id, applicationId })).status, 403);
    });

    await t.test("it needs a browser, and an application that is not ours", async () => {
      const service = "service.test_sign_in.v2.TestSignInService/CreateTestSignIn";
      const byMachine = await server.connect(service, { applicationId, scopes: ["openid"] });
      assert.deepEqual([byMachine.status, byMachine.body.code], [400, "failed_precondition"]);
      const consoleId = await openConsole(server);
      const search = { filters: [{ clientIdFilter: { clientId: consoleId } }] };
      const { body } = await server.connect("service.application.v2.ApplicationService/ListApplications", search);
      const builtIn = body.applications[0].applicationId;
      await appoint(server, user, { instance: true }, ["IAM_OWNER"]);
      const refused = await ada.create({ applicationId: builtIn, scopes: ["openid"] });
      assert.equal(refused.status, 400, JSON.stringify(refused.body));
      await control();
    });

    await t.test("the page where tests end is no redirect URI of an application", async () => {
      const query = new URLSearchParams({
        client_id: clientId,
        response_type: "code",
        scope: "openid",
        redirect_uri: server.origin + endOfTests,
      });
      const page = await ada.browser.open(`/oauth/v2/authorize?${query}`);
      assert.deepEqual([page.status, ada.browser.redirects], [400, []]);
    });

    await t.test("it ends after ten minutes, and with its application", async () => {
      const given = await control();
      const { path } = await ada.prepare({ applicationId });
      const applications = "service.application.v2.ApplicationService";
      const named = { applicationId, projectId };
      assert.equal((await server.connect(`${applications}/DeactivateApplication`, named)).status, 200);
      assert.equal((await ada.browser.open(path)).status, 400);
      assert.equal((await ada.finish(given)).body.error.error, "unauthorized_client");
      assert.equal((await server.connect(`${applications}/ReactivateApplication`, named)).status, 200);
      const [late, open] = [await control(), await ada.prepare({ applicationId })];
      server.clock.now += minutes(10);
      assert.equal((await ada.finish(late)).status, 404);
      assert.equal((await ada.browser.open(open.path)).status, 400);
    });
  });
});
