import assert from "node:assert/strict";
import { test } from "node:test";
import { leftHalfHash } from "../../src/base/jose/index.ts";
import type { Outbound } from "../../src/base/outbound/index.ts";
import { createAzureAdClient } from "../../src/domain/identity-provider-client/azure-ad.ts";
import { createGitHubClient } from "../../src/domain/identity-provider-client/github.ts";
import { createGitLabClient } from "../../src/domain/identity-provider-client/gitlab.ts";
import { createGoogleClient } from "../../src/domain/identity-provider-client/google.ts";
import { createOidcClient } from "../../src/domain/identity-provider-client/oidc.ts";
import { goodJwt, type Json } from "../support/oidc/signed-jose.ts";
import {
  type Answers,
  accessToken,
  begin,
  client,
  complete,
  formOf,
  isRefused,
  json,
  keySet,
  nonce,
  pair,
  seconds,
  sign,
  startProviders,
  verifier,
} from "./provider-answers.ts";

test("answers of well-known providers", async (t) => {
  const { receiver, outbound, fresh, answerWith } = await startProviders(t);

  await t.test("Google", async (s) => {
    const issuer = "https://accounts.google.com";
    const person = {
      sub: "110169484474386276334",
      email: "ada@corp.example",
      email_verified: true,
      hd: "corp.example",
      name: "Ada Lovelace",
      given_name: "Ada",
      family_name: "Lovelace",
      picture: "https://lh3.example/a",
    };
    const answersFor = (user: Json): Answers => ({
      "accounts.google.com/.well-known/openid-configuration": () => ({
        issuer,
        authorization_endpoint: `${issuer}/o/oauth2/v2/auth`,
        token_endpoint: "https://oauth2.googleapis.com/token",
        jwks_uri: "https://www.googleapis.com/oauth2/v3/certs",
        userinfo_endpoint: "https://openidconnect.googleapis.com/v1/userinfo",
        token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
        code_challenge_methods_supported: ["plain", "S256"],
      }),
      "www.googleapis.com/oauth2/v3/certs": () => keySet,
      "oauth2.googleapis.com/token": () => ({
        access_token: accessToken,
        expires_in: 3599,
        token_type: "Bearer",
        scope: "openid email profile",
        id_token: sign({
          iss: issuer,
          azp: "our-client",
          aud: "our-client",
          nonce,
          iat: seconds,
          exp: seconds + 3600,
          at_hash: leftHalfHash(accessToken, "RS256"),
          ...user,
        }),
      }),
      "openidconnect.googleapis.com/v1/userinfo": () => user,
    });
    answerWith(answersFor(person));
    const google = createGoogleClient(fresh(), client);
    const url = new URL((await begin(google)).url);
    assert.equal(url.origin + url.pathname, `${issuer}/o/oauth2/v2/auth`);
    assert.equal(url.searchParams.get("login_hint"), "ada@x.example");
    const ada = await complete(google);
    assert.deepEqual(
      [ada.subject, ada.email, ada.isEmailVerified, ada.givenName],
      [person.sub, person.email, true, "Ada"],
    );
    await s.test("speaks for its own addresses and for those of hosted domains (D-7)", async () => {
      const cases: readonly (readonly [Json, boolean])[] = [
        [{ email: "ada@gmail.com", hd: undefined }, true],
        [{ email: "Ada@GoogleMail.com", hd: undefined }, true],
        [{ email: "ada@corp.example", hd: undefined }, false],
        [{ email: "ada@corp.example", hd: "" }, false],
        [{ email: "ada@corp.example", hd: ["corp.example"] }, false],
        [{ email: "ada@gmail.com.attacker.example", hd: undefined }, false],
        [{ email: "ada@evil-gmail.com", hd: undefined }, false],
        [{ email: "ada@gmail.com", hd: undefined, email_verified: "true" }, false],
        [{ email_verified: false }, false],
      ];
      for (const [claims, isVerified] of cases) {
        answerWith(answersFor({ ...person, ...claims }));
        assert.equal((await complete(google)).isEmailVerified, isVerified, json(claims));
      }
    });
  });

  await t.test("Microsoft", async (s) => {
    const origin = "https://login.microsoftonline.com";
    const [tenant, foreign] = ["72f988bf-86f1-41af-91ab-2d7cd011db47", "9188040d-6c67-4c5b-b112-36a304b66dad"];
    const issuerOf = (tid: string) => `${origin}/${tid}/v2.0`;
    const answersFor = (path: string, named: string, claims: Json): Answers => ({
      [`login.microsoftonline.com/${path}/v2.0/.well-known/openid-configuration`]: () => ({
        issuer: named,
        authorization_endpoint: `${origin}/${path}/oauth2/v2.0/authorize`,
        token_endpoint: `${origin}/${path}/oauth2/v2.0/token`,
        jwks_uri: `${origin}/${path}/discovery/v2.0/keys`,
        userinfo_endpoint: "https://graph.microsoft.com/oidc/userinfo",
        token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt"],
      }),
      [`login.microsoftonline.com/${path}/discovery/v2.0/keys`]: () => keySet,
      [`login.microsoftonline.com/${path}/oauth2/v2.0/token`]: (request) => {
        assert.equal(formOf(request)["client_secret"], "our secret", "it takes the secret in the body");
        // It dates its tokens five minutes back.
        const times = { iat: seconds - 300, nbf: seconds - 300, exp: seconds + 3600 };
        const standard = {
          ver: "2.0",
          iss: issuerOf(tenant),
          aud: "our-client",
          sub: "AAAA-pairwise",
          tid: tenant,
          nonce,
        };
        const who = { oid: "0000", preferred_username: "ada@corp.example", name: "Ada", email: "ada@corp.example" };
        const tokens = { access_token: accessToken, token_type: "Bearer", ext_expires_in: 3599 };
        return { ...tokens, id_token: sign({ ...standard, ...times, ...who, ...claims }) };
      },
      "graph.microsoft.com/oidc/userinfo": () => ({
        sub: "AAAA-pairwise",
        name: "Ada Lovelace",
        given_name: "Ada",
        family_name: "Lovelace",
        email: "ada@corp.example",
      }),
    });
    const at = (path: string, isEmailVerified = false) =>
      createAzureAdClient(fresh(), { ...client, tenant: path, isEmailVerified });
    for (const path of ["common", "organizations"]) {
      answerWith(answersFor(path, `${origin}/{tenantid}/v2.0`, {}));
      const ada = await complete(at(path, true));
      assert.deepEqual([ada.subject, ada.email, ada.isEmailVerified], ["AAAA-pairwise", "ada@corp.example", false]);
    }
    await s.test("an address counts for one tenant whose administrator was trusted (nOAuth)", async () => {
      for (const claims of [{}, { email_verified: true }, { xms_edov: true }]) {
        answerWith(answersFor(tenant, issuerOf(tenant), claims));
        assert.equal((await complete(at(tenant))).isEmailVerified, false, json(claims));
        assert.equal((await complete(at(tenant, true))).isEmailVerified, true);
      }
    });
    await s.test("a token is of the tenant that it names, and that was meant", async () => {
      const cases: readonly (readonly [string, string, Json, string])[] = [
        ["common", `${origin}/{tenantid}/v2.0`, { tid: foreign }, "issuer"],
        ["common", `${origin}/{tenantid}/v2.0`, { iss: `${origin}/{tenantid}/v2.0` }, "issuer"],
        ["common", `${origin}/{tenantid}/v2.0`, { tid: undefined }, "tenant"],
        ["common", `${origin}/{tenantid}/v2.0`, { tid: `${tenant}/v2.0/../x` }, "tenant"],
        [tenant, issuerOf(tenant), { tid: foreign, iss: issuerOf(foreign) }, "tenant"],
        ["corp.example", issuerOf(tenant), { tid: foreign, iss: issuerOf(foreign) }, "issuer"],
      ];
      for (const [path, named, claims, detail] of cases) {
        answerWith(answersFor(path, named, claims));
        await assert.rejects(complete(at(path)), isRefused("token_refused", detail), json([path, claims]));
      }
      for (const named of [
        issuerOf("common"),
        "https://attacker.example/{tenantid}/v2.0",
        `${origin}/x/{tenantid}/v2.0`,
      ]) {
        answerWith(answersFor("common", named, {}));
        await assert.rejects(begin(at("common")), isRefused("discovery_invalid"), named);
      }
    });
    await s.test("a provider of another kind with the same issuer keeps no user from it", async () => {
      answerWith(answersFor("common", `${origin}/{tenantid}/v2.0`, {}));
      const deps = fresh();
      const azure = createAzureAdClient(deps, { ...client, tenant: "common", isEmailVerified: false });
      const generic = createOidcClient(deps, { ...client, issuer: issuerOf("common"), usesIdTokenOnly: false });
      await assert.rejects(begin(generic), isRefused("discovery_invalid"));
      assert.match((await begin(azure)).url, /^https:\/\/login\.microsoftonline\.com\/common\//);
      await assert.rejects(begin(generic), isRefused("discovery_invalid"), "nor has it what the other one may have");
    });
  });

  await t.test("GitLab", async () => {
    const issuer = "https://gitlab.example";
    const person = { sub: "4711", email: "ada@mail.example", email_verified: true, nickname: "ada", name: "Ada L" };
    answerWith({
      "gitlab.example/.well-known/openid-configuration": () => ({
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        userinfo_endpoint: `${issuer}/oauth/userinfo`,
        jwks_uri: `${issuer}/oauth/discovery/keys`,
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      }),
      "gitlab.example/oauth/discovery/keys": () => keySet,
      "gitlab.example/oauth/token": ({ headers }) => {
        assert.equal(headers.authorization, `Basic ${Buffer.from("our-client:our+secret").toString("base64")}`);
        const claims = { iss: issuer, aud: "our-client", sub: "4711", nonce, iat: seconds, exp: seconds + 120 };
        const idToken = sign({ ...claims, auth_time: seconds - 60, sub_legacy: "2a5c", groups_direct: ["acme"] });
        return { access_token: accessToken, token_type: "Bearer", created_at: seconds, id_token: idToken };
      },
      "gitlab.example/oauth/userinfo": () => ({ ...person, groups: ["acme"] }),
    });
    const { subject, username, isEmailVerified, raw } = await complete(
      createGitLabClient(fresh(), { ...client, issuer }),
    );
    assert.deepEqual([subject, username, isEmailVerified], ["4711", "ada@mail.example", true]);
    assert.deepEqual(raw["groups"], ["acme"]);
  });

  await t.test("GitHub", async (s) => {
    const token = { access_token: "gho_16C7e42F292c6912E7", scope: "read:user,user:email", token_type: "bearer" };
    const answersFor = (changed: Answers): Answers => ({
      "github.com/login/oauth/access_token": (request) => {
        const { client_secret: secret, code_verifier: sent } = formOf(request);
        assert.deepEqual([secret, sent], ["our secret", verifier]);
        // A client that does not ask for JSON gets a form.
        if (request.headers.accept === "application/json") return token;
        return { form: new URLSearchParams(token).toString(), type: "application/x-www-form-urlencoded" };
      },
      "api.github.com/user": ({ headers }) => {
        assert.equal(headers.authorization, `Bearer ${token.access_token}`);
        assert.match(headers["user-agent"] ?? "", /Doorward/, "it refuses who does not say what he is");
        return { login: "ada", id: 583_231, node_id: "MDQ6", name: "Ada King Lovelace", email: "public@mail.example" };
      },
      "api.github.com/user/emails": () => [
        { email: "old@mail.example", primary: false, verified: true, visibility: null },
        { email: "ada@mail.example", primary: true, verified: true, visibility: "private" },
      ],
      ...changed,
    });
    const github = createGitHubClient(fresh(), { ...client, scopes: ["read:user", "user:email"] });
    answerWith(answersFor({}));
    const url = new URL((await begin(github)).url);
    assert.equal(url.searchParams.get("scope"), "read:user user:email");
    assert.equal(url.searchParams.get("nonce"), null);
    const ada = await complete(github);
    assert.deepEqual(
      [ada.subject, ada.username, ada.email, ada.isEmailVerified, ada.givenName, ada.familyName],
      ["583231", "ada", "ada@mail.example", true, "Ada", "King Lovelace"],
    );
    await s.test("errors come with status 200, as JSON or as a form", async () => {
      const error = { error: "bad_verification_code", error_description: "The code passed is incorrect or expired." };
      answerWith(answersFor({ "github.com/login/oauth/access_token": () => error }));
      await assert.rejects(complete(github), isRefused("code_refused", "status 200"));
      const form = new URLSearchParams(error).toString();
      answerWith(
        answersFor({
          "github.com/login/oauth/access_token": () => ({ form, type: "application/x-www-form-urlencoded" }),
        }),
      );
      await assert.rejects(complete(github), isRefused("answer_malformed"));
    });
    await s.test("an address is proven as the list of addresses says, and nowhere else", async () => {
      const lists: readonly (readonly Json[])[] = [
        [],
        [{ email: "ada@mail.example", primary: true, verified: false }],
        [{ email: "ada@mail.example", primary: false, verified: true }],
        [{ email: "ada@mail.example", primary: "true", verified: true }],
        [{ email: ["ada@mail.example"], primary: true, verified: true }],
        [{ email: "a\r\nb@mail.example", primary: true, verified: true }],
      ];
      for (const list of lists) {
        answerWith(answersFor({ "api.github.com/user/emails": () => list }));
        const { email, isEmailVerified } = await complete(github);
        assert.deepEqual([email, isEmailVerified], ["public@mail.example", false], json(list));
      }
      answerWith(answersFor({ "api.github.com/user/emails": () => ({ message: "Not Found" }) }));
      assert.equal((await complete(github)).isEmailVerified, false);
    });
    await s.test("without a number there is no user", async () => {
      for (const id of [undefined, null, 1.5, {}, ["583231"], true, 2 ** 60]) {
        answerWith(answersFor({ "api.github.com/user": () => ({ login: "ada", id }) }));
        await assert.rejects(complete(github), isRefused("subject_missing"), json(id));
      }
    });
  });

  await t.test("what proves an address stands beside it", async () => {
    const issuer = "https://idp.example";
    const pairs: readonly (readonly [idToken: Json, userinfo: Json, email: string | undefined, isVerified: boolean])[] =
      [
        [{ email: "a@x.example", email_verified: true }, {}, "a@x.example", true],
        [{ email: "a@x.example", email_verified: true }, { email: "b@x.example" }, "b@x.example", false],
        [{ email: "a@x.example", email_verified: true }, { email: "a@x.example" }, "a@x.example", true],
        [{ email: "a@x.example" }, { email_verified: true }, "a@x.example", false],
        [{ email_verified: true }, { email: "b@x.example" }, "b@x.example", false],
        [
          { email: "a@x.example", email_verified: true },
          { email: "a@x.example", email_verified: false },
          "a@x.example",
          false,
        ],
        [{ email: ["a@x.example"] }, {}, undefined, false],
        [{ email: { a: 1 }, email_verified: true }, {}, undefined, false],
        [{ email: 7, email_verified: true }, {}, undefined, false],
        [{ email: "a@x.example\r\nbcc: b@x.example", email_verified: true }, {}, undefined, false],
      ];
    for (const [idToken, userinfo, email, isVerified] of pairs) {
      answerWith({
        "idp.example/.well-known/openid-configuration": () => ({
          issuer,
          authorization_endpoint: `${issuer}/a`,
          token_endpoint: `${issuer}/t`,
          userinfo_endpoint: `${issuer}/u`,
          jwks_uri: `${issuer}/k`,
        }),
        "idp.example/k": () => keySet,
        "idp.example/t": () => {
          const claims = { iss: issuer, aud: "our-client", sub: "s", nonce, iat: seconds, exp: seconds + 120 };
          return { access_token: accessToken, token_type: "Bearer", id_token: sign({ ...claims, ...idToken }) };
        },
        "idp.example/u": () => ({ sub: "s", ...userinfo }),
      });
      const said = await complete(createOidcClient(fresh(), { ...client, issuer, usesIdTokenOnly: false }));
      assert.deepEqual([said.email, said.isEmailVerified], [email, isVerified], json([idToken, userinfo]));
    }
  });

  await t.test("userinfo may be signed, as Doorward and others do", async () => {
    const issuer = "https://idp.example";
    const answersFor = (typ: string | undefined): Answers => ({
      "idp.example/.well-known/openid-configuration": () => ({
        issuer,
        authorization_endpoint: `${issuer}/a`,
        token_endpoint: `${issuer}/t`,
        userinfo_endpoint: `${issuer}/u`,
        jwks_uri: `${issuer}/k`,
      }),
      "idp.example/k": () => keySet,
      "idp.example/t": () => {
        const claims = { iss: issuer, aud: "our-client", sub: "s", nonce, iat: seconds, exp: seconds + 120 };
        return { access_token: accessToken, token_type: "Bearer", id_token: sign(claims) };
      },
      "idp.example/u": () => {
        const claims = { iss: issuer, aud: "our-client", sub: "s", given_name: "Ada" };
        const header = { alg: "RS256" as const, kid: "k1", ...(typ !== undefined && { typ }) };
        return { form: goodJwt({ ...pair, header, claims }), type: "application/jwt; charset=utf-8" };
      },
    });
    const provider = createOidcClient(fresh(), { ...client, issuer, usesIdTokenOnly: false });
    for (const typ of [undefined, "JWT", "userinfo+jwt"]) {
      answerWith(answersFor(typ));
      assert.equal((await complete(provider)).givenName, "Ada", `${typ}`);
    }
    answerWith(answersFor("at+jwt"));
    await assert.rejects(complete(provider), isRefused("token_refused", "type"));
  });

  await t.test("a provider that does not answer is not waited for", async () => {
    receiver.answer = () => {};
    const waits: (number | undefined)[] = [];
    const impatient: Outbound = (request) => {
      waits.push(request.timeout);
      return outbound({ ...request, timeout: 50 });
    };
    await assert.rejects(
      complete(createGitHubClient({ ...fresh(), outbound: impatient }, client)),
      isRefused("unreachable", "timed_out"),
    );
    assert.ok(
      waits.every((wait = 5_000) => wait <= 10_000),
      waits.join(),
    );
  });
});
