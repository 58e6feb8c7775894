import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { codeTo } from "../../login/support/sign-up.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import { addResource } from "../../support/oidc/resources.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../../support/people/people.ts";
import { proveDomain } from "../../support/people/prove-domain.ts";
import { jwt, makeBank, ok, projects } from "../support/registered-resources.ts";

const iam = "urn:service:iam";
const short = `${iam}:org:project:roles`;
const users = "service.user.v2.UserService";

/** An organization with an owner who has the role `admin` in a project, and an application there. */
async function makeTenant(server: OidcServer, name: string) {
  const organizationId = await addOrganization(server, name);
  const owner = await addPerson(server, { username: "eve", organizationId });
  await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
  const { token } = await sessionOf(server, owner);
  const as = { token };
  const { projectId } = await ok(server.connect(`${projects}/CreateProject`, { organizationId, name }, as));
  await ok(server.connect(`${projects}/AddProjectRole`, { projectId, roleKey: "admin", displayName: "Admin" }, as));
  const assignment = { userId: owner.userId, projectId, organizationId, roleKeys: ["admin"] };
  await ok(server.connect("service.authorization.v2.AuthorizationService/CreateAuthorization", assignment, as));
  const client = await server.createClient(
    {
      accessTokenType: "OIDC_TOKEN_TYPE_JWT",
      accessTokenRoleAssertion: true,
      idTokenRoleAssertion: true,
      idTokenUserinfoAssertion: true,
    },
    projectId,
  );
  return { organizationId, owner, as, projectId, client };
}

const audienceOf = (projectId: string) => `${iam}:org:project:id:${projectId}:aud`;
const namesOf = (claims: object): string[] =>
  Object.keys(claims).filter((name) => /^urn:service:iam:org:project:.*roles$/.test(name));

enginesInTurn((engine, test) => {
  test("a role without its project is in nothing that another project reads (A7)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const bank = await makeBank(server);
    const { owner, projectId, organizationId, client, as } = await makeTenant(server, "Tenant");
    const long = `${iam}:org:project:${projectId}:roles`;
    const roles = `openid ${iam}:org:projects:roles`;
    const told = async (by: TestClient, scope: string, parameters = {}) => {
      const tokens = await server.tokens({ client: by, user: owner, scope, parameters });
      const token = tokens["access_token"] ?? "";
      return {
        accessToken: namesOf(decodeJwt(token)),
        idToken: namesOf(decodeJwt(tokens["id_token"] ?? "")),
        userinfo: namesOf((await server.rest("GET", "/oidc/v1/userinfo", { token })).body),
      };
    };
    const both = [short, long];
    assert.deepEqual(await told(client, roles), { accessToken: both, idToken: both, userinfo: both });

    // An API of the bank reads its roles by the short name, as clients of this interface do.
    const ofBank = { accessToken: [long], idToken: both, userinfo: [long] };
    assert.deepEqual(await told(client, `${roles} ${audienceOf(bank.projectId)}`), ofBank);
    await addResource(server, bank.projectId, "https://jwt.bank.example", jwt);
    const ofTools = { ...ofBank, accessToken: [], userinfo: [] };
    assert.deepEqual(
      await told(client, roles, { resource: "https://jwt.bank.example" }),
      ofTools,
      "of another project",
    );

    const wide = await server.createClient(
      { idTokenRoleAssertion: true, wideIdTokenAudience: true, accessTokenType: "OIDC_TOKEN_TYPE_JWT" },
      projectId,
    );
    const { idToken } = await told(wide, `${roles} ${audienceOf(bank.projectId)}`);
    assert.deepEqual(idToken, [long]);

    // The client itself asks at UserInfo, and projects of one organization trust one another there.
    const { projectId: second } = await ok(
      server.connect(`${projects}/CreateProject`, { organizationId, name: "Second" }, as),
    );
    const besides = { accessToken: [long], idToken: both, userinfo: both };
    assert.deepEqual(await told(client, `${roles} ${audienceOf(second)}`), besides);
    await addResource(server, projectId, "https://own.example", jwt);
    const own = { accessToken: both, idToken: both, userinfo: both };
    assert.deepEqual(await told(client, roles, { resource: "https://own.example" }), own, "a resource of the project");
  });

  test("the word of an organization verifies an address for its own applications alone (A13)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const bank = await makeBank(server);
    const { organizationId, owner, client, as } = await makeTenant(server, "Tenant");
    const shown = ["email_verified", "phone_number_verified"] as const;
    const scope = "openid email phone";
    const asserting = await server.createClient({ idTokenUserinfoAssertion: true });
    const told = async (by: TestClient, user: typeof owner) => {
      const tokens = await server.tokens({ client: by, user, scope });
      const token = tokens["access_token"] ?? "";
      const { body } = await server.rest("GET", "/oidc/v1/userinfo", { token });
      const idToken = decodeJwt(tokens["id_token"] ?? "");
      assert.deepEqual(
        shown.map((name) => idToken[name]),
        shown.map((name) => body[name]),
        "both say the same",
      );
      const introspected = await server.introspect(token, by);
      return { address: body.email, verified: shown.map((name) => body[name]), introspected };
    };
    const person = async (username: string, email: string, token?: string) => {
      const given = {
        organizationId,
        username,
        human: {
          profile: { givenName: "A", familyName: "B" },
          email: { email, isVerified: true },
          phone: { phone: "+41791234567", isVerified: true },
          password: { password: owner.password, changeRequired: false },
        },
      };
      const { id } = await ok(server.connect(`${users}/CreateUser`, given, token === undefined ? {} : { token }));
      return { ...owner, userId: id };
    };
    const mallory = await person("mallory", "ceo@bank.example", as.token);
    const elsewhere = await told(asserting, mallory);
    assert.deepEqual([elsewhere.address, ...elsewhere.verified], ["ceo@bank.example", false, false]);
    assert.equal(elsewhere.introspected["email_verified"], false);
    const named = await server.tokens({
      client: asserting,
      user: mallory,
      parameters: { claims: JSON.stringify({ id_token: { email_verified: null } }) },
    });
    assert.equal(decodeJwt(named["id_token"] ?? "")["email_verified"], false, "asked for by name");
    const atHome = await told(client, mallory);
    assert.deepEqual(atHome.verified, [true, true]);
    assert.equal(atHome.introspected["email_verified"], true);

    // A project of the bank in the audience reads UserInfo as well, with the token that it was sent.
    const scopeOfBank = `${scope} ${audienceOf(bank.projectId)}`;
    const { access_token: token = "" } = await server.tokens({ client, user: mallory, scope: scopeOfBank });
    const read = await server.rest("GET", "/oidc/v1/userinfo", { token });
    assert.deepEqual(
      shown.map((name) => read.body[name]),
      [false, false],
    );
    const asked = await server.introspect(token, bank.api);
    assert.deepEqual([asked["email"], asked["email_verified"]], ["ceo@bank.example", false]);

    const vouched = await person("vera", "vera@bank.example");
    assert.deepEqual((await told(asserting, vouched)).verified, [true, true], "the word of the instance");
    const change = { userId: mallory.userId, email: "mallory@mail.example", sendCode: {} };
    await ok(server.connect(`${users}/SetEmail`, change, as));
    const verificationCode = await codeTo(server, change.email);
    await ok(server.connect(`${users}/VerifyEmail`, { userId: mallory.userId, verificationCode }));
    assert.deepEqual((await told(asserting, mallory)).verified, [true, false], "a code that was sent there");
    await ok(server.connect(`${users}/SetEmail`, { ...change, sendCode: undefined, isVerified: true }, as));
    assert.deepEqual((await told(asserting, mallory)).verified, [true, false], "which goes on being a proof");
    await ok(
      server.connect(`${users}/SetEmail`, { userId: mallory.userId, email: "m@Staff.example", isVerified: true }, as),
    );
    assert.deepEqual((await told(asserting, mallory)).verified, [false, false]);
    await proveDomain(server, organizationId, "staff.example");
    assert.deepEqual((await told(asserting, mallory)).verified, [true, false], "in a domain that it has proven");

    const trusting = { skipConsentAcrossOrganizations: true };
    await ok(server.connect("service.settings.v2.SettingsService/SetSecuritySettings", trusting));
    assert.deepEqual((await told(asserting, mallory)).verified, [true, true], "organizations that trust one another");
  });

  test("an API of another organization gets a login name with the scope that shows it alone (A32)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const bank = await makeBank(server);
    const home = await makeTenant(server, "Tenant");
    const told = async (scope: string, by: TestClient) => {
      const asked = { scope: `${scope} accounts:read`, parameters: { resource: bank.uri } };
      const { access_token: token = "" } = await server.tokens({ client: home.client, user: home.owner, ...asked });
      const answer = await server.introspect(token, by);
      assert.equal(answer["active"], true);
      return answer["username"];
    };
    assert.equal(await told("openid", bank.api), undefined);
    assert.equal(await told("openid profile", bank.api), home.owner.loginName);
    assert.equal(await told("openid", home.client), home.owner.loginName, "at home");
  });
});
