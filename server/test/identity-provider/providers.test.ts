import assert from "node:assert/strict";
import type { ProviderConfiguration } from "../../src/domain/identity-provider/index.ts";
import { putProvider } from "../support/identity-provider/identity-providers.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addOrganization } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { arrive, attempt, knowProvider, provenAttempt, startAttempt } from "./attempts.ts";

serversInTurn((start, test) => {
  test("answers of providers", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const idpId = await knowProvider(server, provider);
    const person = provider.user;
    const reset = () =>
      Object.assign(provider, { claims: {}, metadata: {}, tokens: {}, emails: undefined, user: person });
    const read = async (id: string) => {
      const { idpIntentId, idpIntentToken } = await provenAttempt(server, provider, id);
      return (await server.rest("POST", `/v2/idp_intents/${idpIntentId}`, { body: { idpIntentToken } })).body;
    };

    await t.test("a code of one provider is of no use at another (CVE-2026-73419)", async () => {
      const second = await startTestProvider(t, () => server.clock.now);
      const back = provider.signIn(await startAttempt(server, idpId));
      const stolen = second.signIn(await startAttempt(server, await knowProvider(server, second)));
      stolen.searchParams.set("state", back.searchParams.get("state") ?? "");
      assert.equal((await arrive(stolen)).parameters["error"], "code_refused");
    });

    // RFC 9700 §4.4: the honest server does not name itself, and the other one, which a customer's organization set up,
    // sends the user on to it.
    await t.test(
      "what an organization's provider has users answer for another is not brought to it (mix-up)",
      async () => {
        const mallory = await startTestProvider(t, () => server.clock.now);
        const organizationId = await addOrganization(server, "Mallory");
        const theirs = await knowProvider(server, mallory, { organizationId });
        const at = (url: string) => new URL(new URL(url).searchParams.get("redirect_uri") ?? "").pathname;
        const brought = () =>
          [...mallory.received, ...provider.received].filter(({ path }) => path === "/token").length;
        const away = await startAttempt(server, theirs);
        assert.equal(at(away), `/idps/callback/${organizationId}`);
        const honest = await startAttempt(server, idpId);
        assert.equal(at(honest), "/idps/callback");
        const before = brought();
        const elsewhere = [
          [away, mallory, "/idps/callback"],
          [honest, provider, `/idps/callback/${organizationId}`],
        ] as const;
        for (const [from, own, other] of elsewhere) {
          const back = own.signIn(from);
          const told = await arrive(new URL(other + back.search, server.origin));
          assert.equal(told.parameters["error"], "issuer_mismatch", JSON.stringify(told));
        }
        assert.equal(brought(), before, "no code was brought anywhere");
        const { parameters } = await arrive(mallory.signIn(await startAttempt(server, theirs)));
        assert.ok(parameters["token"], JSON.stringify(parameters));
      },
    );

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
        kind: "oauth",
        clientId: "doorward",
        scopes: ["profile"],
        idAttribute: "account",
        usePkce: true,
        authorizationEndpoint: `${issuer}/authorize`,
        tokenEndpoint: `${issuer}/token`,
        userEndpoint: `${issuer}/user`,
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
});
