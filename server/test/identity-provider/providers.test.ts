import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ProviderConfiguration } from "../../src/domain/identity-provider/index.ts";
import { issuerOfTenant, trustEmail } from "../../src/domain/identity-provider-client/azure-ad.ts";
import { fromClaims } from "../../src/domain/identity-provider-client/external-identity.ts";
import { putProvider } from "../support/identity-providers.ts";
import { startServer } from "../support/server.ts";
import { startTestProvider, type TestProvider } from "../support/test-provider.ts";
import { arrive, attempt, knowProvider, provenAttempt, startAttempt } from "./attempts.ts";

test("answers of providers", async (t) => {
  const server = await startServer(t);
  const provider = await startTestProvider(t, () => server.clock.now);
  const idpId = await knowProvider(server, provider);
  const seconds = Math.floor(server.clock.now / 1000);
  const person = provider.user;
  const reset = () =>
    Object.assign(provider, { claims: {}, metadata: {}, tokens: {}, emails: undefined, user: person });
  const read = async (id: string) => {
    const { idpIntentId, idpIntentToken } = await provenAttempt(server, provider, id);
    return (await server.rest("POST", `/v2/idp_intents/${idpIntentId}`, { body: { idpIntentToken } })).body;
  };

  type Change = Partial<Pick<TestProvider, "claims" | "tokens" | "user" | "metadata">>;
  const refused: readonly (readonly [string, string, Change])[] = [
    ["another nonce", "token_refused", { claims: { nonce: "x" } }],
    ["no nonce", "token_refused", { claims: { nonce: undefined } }],
    ["nonce in a list", "token_refused", { claims: { nonce: ["x"] } }],
    ["another audience", "token_refused", { claims: { aud: "somebody" } }],
    ["several audiences without a party", "token_refused", { claims: { aud: ["doorward", "somebody"] } }],
    ["made for another party", "token_refused", { claims: { aud: ["doorward", "somebody"], azp: "somebody" } }],
    ["made for another party alone", "token_refused", { claims: { azp: "somebody" } }],
    ["another issuer", "token_refused", { claims: { iss: "https://attacker.example" } }],
    ["expired", "token_refused", { claims: { exp: seconds - 61 } }],
    ["no expiry", "token_refused", { claims: { exp: undefined } }],
    ["no time of issue", "token_refused", { claims: { iat: undefined } }],
    ["issued long ago", "token_refused", { claims: { iat: seconds - 700 } }],
    ["issued in the future", "token_refused", { claims: { iat: seconds + 100 } }],
    ["a number as subject", "subject_missing", { claims: { sub: 1 }, user: { ...person, sub: 1 } }],
    ["no subject", "subject_missing", { claims: { sub: undefined }, user: { email: "x@y.example" } }],
    ["an endless subject", "subject_missing", { claims: { sub: "x".repeat(201) }, user: { sub: "x".repeat(201) } }],
    ["userinfo of somebody else", "subject_mismatch", { user: { ...person, sub: "victim" }, claims: { sub: "p-1" } }],
    ["no id token", "answer_malformed", { tokens: { id_token: undefined } }],
    ["an id token that is none", "token_refused", { tokens: { id_token: "x.y.z" } }],
    ["no access token", "answer_malformed", { tokens: { access_token: undefined } }],
    ["an access token of two lines", "answer_malformed", { tokens: { access_token: "a\r\nx-evil: b" } }],
    ["an error instead of tokens", "code_refused", { tokens: { error: "invalid_grant" } }],
  ];
  for (const [name, reason, change] of refused) {
    await t.test(`refused: ${name}`, async () => {
      Object.assign(provider, change);
      const told = await attempt(server, provider, idpId);
      reset();
      assert.equal(told.page, "https://login.example/bad", JSON.stringify(told));
      assert.equal(told.parameters["error"], reason);
      assert.ok(told.parameters["error_description"]);
      assert.equal(told.parameters["token"], undefined);
    });
  }

  await t.test("an answer that names another issuer, or none where one was announced (RFC 9207)", async () => {
    const withIssuer = async (issuer: string | undefined) => {
      const back = provider.signIn(await startAttempt(server, idpId));
      if (issuer !== undefined) back.searchParams.set("iss", issuer);
      return (await arrive(back)).parameters["error"];
    };
    assert.equal(await withIssuer("https://attacker.example"), "issuer_mismatch");
    assert.equal(await withIssuer(provider.issuer), undefined);
    provider.metadata = { authorization_response_iss_parameter_supported: true };
    // Another slash, so that the document is read again.
    const other = await knowProvider(server, provider, {
      configuration: { ...oidc(provider), clientId: "doorward", issuer: provider.issuer },
    });
    server.clock.now += 16 * 60_000;
    const back = provider.signIn(await startAttempt(server, other));
    assert.equal((await arrive(back)).parameters["error"], "issuer_mismatch");
    reset();
    server.clock.now += 16 * 60_000;
  });

  await t.test("a code of one provider is of no use at another (CVE-2026-73419)", async () => {
    const second = await startTestProvider(t, () => server.clock.now);
    const back = provider.signIn(await startAttempt(server, idpId));
    const stolen = second.signIn(await startAttempt(server, await knowProvider(server, second)));
    stolen.searchParams.set("state", back.searchParams.get("state") ?? "");
    assert.equal((await arrive(stolen)).parameters["error"], "code_refused");
  });

  await t.test("what a provider says no to is told to the application", async () => {
    const back = provider.signIn(await startAttempt(server, idpId));
    back.searchParams.delete("code");
    back.searchParams.set("error", "access_denied");
    back.searchParams.set("error_description", "<script>");
    const told = await arrive(back);
    assert.equal(told.parameters["error"], "access_denied");
    assert.ok(!JSON.stringify(told).includes("<script"));
  });

  await t.test("PKCE and nonce are always sent, and the secret never to the browser", async () => {
    const url = new URL(await startAttempt(server, idpId));
    assert.equal(url.searchParams.get("code_challenge_method"), "S256");
    assert.match(url.searchParams.get("code_challenge") ?? "", /^[\w-]{43}$/);
    assert.match(url.searchParams.get("nonce") ?? "", /^[\w-]{43}$/);
    assert.equal(url.searchParams.get("redirect_uri"), `${server.origin}/idps/callback`);
    assert.ok(!url.href.includes(provider.clientSecret));
  });

  await t.test("a verified address is one for which the provider says true", async () => {
    for (const said of ["true", "false", 1, 0, null, undefined, ["true"], {}]) {
      provider.user = { ...person, email_verified: said };
      assert.equal((await read(idpId)).addHumanUser.email.isVerified, false, JSON.stringify(said));
    }
    reset();
    assert.equal((await read(idpId)).addHumanUser.email.isVerified, true);
  });

  await t.test("a provider that does not describe itself as configured is not started", async () => {
    for (const [metadata, path] of [
      [{ issuer: "https://attacker.example" }, "/a"],
      [{ token_endpoint: "file:///etc/passwd" }, "/b"],
      [{ jwks_uri: undefined }, "/c"],
    ] as const) {
      provider.metadata = metadata;
      server.clock.now += 16 * 60_000;
      const urls = { successUrl: "https://login.example/", failureUrl: `https://login.example${path}` };
      const answer = await server.rest("POST", "/v2/idp_intents", { body: { idpId, urls } });
      assert.equal(answer.body.details?.[0]?.id, "identity_intent.provider_unreachable", JSON.stringify(metadata));
    }
    reset();
    server.clock.now += 16 * 60_000;
    assert.ok(await startAttempt(server, idpId));
  });

  await t.test("GitHub: the number is the person, and only a verified primary address counts", async () => {
    const { issuer, clientSecret: secret } = provider;
    const endpoints = { authorizationEndpoint: `${issuer}/authorize`, tokenEndpoint: `${issuer}/token` };
    const id = await putProvider(server, {
      configuration: {
        kind: "github_es",
        clientId: "doorward",
        scopes: [],
        userEndpoint: `${issuer}/user`,
        ...endpoints,
      },
      secret,
    });
    provider.user = { id: 4711, login: "pat", name: "Pat Provider", email: "public@provider.example" };
    const url = new URL(await startAttempt(server, id));
    assert.equal(url.searchParams.get("scope"), "read:user user:email");
    const first = await read(id);
    assert.equal(first.idpInformation.userId, "4711");
    assert.equal(first.idpInformation.userName, "pat");
    assert.deepEqual(first.addHumanUser.email, { email: "public@provider.example", isVerified: false });
    assert.deepEqual(
      [first.addHumanUser.profile.givenName, first.addHumanUser.profile.familyName],
      ["Pat", "Provider"],
    );
    const address = (email: string, primary: boolean, verified: unknown) => ({ email, primary, verified });
    provider.emails = [address("a@x.example", false, true), address("b@x.example", true, true)];
    assert.deepEqual((await read(id)).addHumanUser.email, { email: "b@x.example", isVerified: true });
    provider.emails = [address("a@x.example", false, true), address("b@x.example", true, "true")];
    assert.equal((await read(id)).addHumanUser.email.isVerified, false);
    provider.tokens = { error: "bad_verification_code" };
    assert.equal((await attempt(server, provider, id)).parameters["error"], "code_refused");
    reset();
  });

  await t.test("OAuth 2.0: the id attribute is the person", async () => {
    const { issuer, clientSecret: secret } = provider;
    const configuration: ProviderConfiguration = {
      ...{ kind: "oauth", clientId: "doorward", scopes: ["profile"], idAttribute: "account", usePkce: true },
      ...{
        authorizationEndpoint: `${issuer}/authorize`,
        tokenEndpoint: `${issuer}/token`,
        userEndpoint: `${issuer}/user`,
      },
    };
    const id = await putProvider(server, { configuration, secret });
    provider.user = { account: "acc-1", email: "o@x.example", email_verified: true, name: "O" };
    const found = await read(id);
    assert.equal(found.idpInformation.userId, "acc-1");
    assert.equal(found.addHumanUser.email.isVerified, true);
    for (const account of [undefined, "", null, {}, ["acc-1"], 1.5, true, "x".repeat(300), "a\u0000b"]) {
      provider.user = { account };
      assert.equal(
        (await attempt(server, provider, id)).parameters["error"],
        "subject_missing",
        JSON.stringify(account),
      );
    }
    reset();
  });
});

const oidc = ({ issuer }: TestProvider) => ({
  ...{ kind: "oidc" as const, issuer, clientId: "doorward", scopes: [], isIdTokenMapping: false, usePkce: true },
  ...({ displayNameMapping: "unspecified", usernameMapping: "unspecified", styling: "none" } as const),
});

describe("Azure AD", () => {
  const tenant = "11111111-2222-3333-4444-555555555555";
  const other = "99999999-2222-3333-4444-555555555555";
  const place = "https://login.microsoftonline.com/{tenantid}/v2.0";
  const of = (wanted: string, claims: Readonly<Record<string, unknown>>) => {
    try {
      return issuerOfTenant(wanted, place, claims);
    } catch {
      return "refused";
    }
  };

  test("a token is of the tenant that was meant", () => {
    assert.equal(of(tenant, { tid: tenant }), `https://login.microsoftonline.com/${tenant}/v2.0`);
    assert.equal(of("common", { tid: other }), `https://login.microsoftonline.com/${other}/v2.0`);
    assert.equal(of(tenant, { tid: other }), "refused");
    for (const tid of [undefined, "", "common", `${tenant}/../x`, 1, [tenant]])
      assert.equal(of("common", { tid }), "refused");
  });

  test("an address is proven only when the administrator says so (nOAuth)", () => {
    const identity = fromClaims({ sub: "s", email: "victim@corp.example", email_verified: true }, {});
    assert.equal(trustEmail(identity, false).isEmailVerified, false);
    assert.equal(trustEmail(identity, true).isEmailVerified, true);
    assert.equal(trustEmail(fromClaims({ sub: "s" }, {}), true).isEmailVerified, false);
  });
});
