import assert from "node:assert/strict";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { trustHost } from "../support/servers/trust-host.ts";
import { arrive, attempt, knowProvider, pages } from "./attempts.ts";

serversInTurn((start, test) => {
  test("users who may not write sessions begin attempts for themselves only (N6)", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const [bank, evil] = [await addOrganization(server, "Bank"), await addOrganization(server, "Evil")];
    const [ofInstance, unlisted, ofBank, ofEvil] = [
      await knowProvider(server, provider),
      await knowProvider(server, provider),
      await knowProvider(server, provider, { organizationId: bank }),
      await knowProvider(server, provider, { organizationId: evil }),
    ];
    await changeSettings(server, "login", { allowExternalIdp: true, identityProviderIds: [ofInstance] });
    await changeSettings(server, "login", { allowExternalIdp: true, identityProviderIds: [ofInstance, ofBank] }, bank);
    await changeSettings(server, "login", { allowExternalIdp: true, identityProviderIds: [ofInstance, ofEvil] }, evil);
    const ann = await sessionOf(server, await addPerson(server, { username: "ann", organizationId: bank }));
    const joe = await addPerson(server, { username: "joe", organizationId: evil });
    const { token } = await sessionOf(server, joe);
    const { origin } = server;
    const own = { successUrl: `${origin}/good`, failureUrl: `${origin}/bad` };
    const beginAs = async (as: string | undefined, idpId: string, urls: object) => {
      const options = as === undefined ? {} : { token: as };
      const { status, body } = await server.rest("POST", "/v2/idp_intents", { body: { idpId, urls }, ...options });
      return { is: status === 200 ? "200" : `${status} ${body.details?.[0]?.id}`, url: body.authUrl as string };
    };
    const begin = (idpId: string, urls: object) => beginAs(token, idpId, urls);
    const foreign = "403 identity_intent.url_foreign";
    const unknown = "404 identity_intent.provider_not_found";

    await t.test("an address of the instance is one of its origin, port and scheme as well", async () => {
      await trustHost(server, "shop.example");
      const { port } = new URL(origin);
      for (const url of [
        `http://localhost:${Number(port) === 65_535 ? 1024 : Number(port) + 1}/catch`,
        "http://localhost/catch",
        "http://localhost:80/catch",
        "https://localhost:9999/catch",
        "https://shop.example:9999/catch",
        "http://shop.example/catch",
        "https://below.shop.example/catch",
        "https://shop.example.evil.example/catch",
        `https://evil.example/?${origin}/`,
      ]) {
        assert.equal((await begin(ofEvil, { ...own, successUrl: url })).is, foreign, url);
        assert.equal((await begin(ofEvil, { ...own, failureUrl: url })).is, foreign, url);
        assert.equal(
          (await beginAs(undefined, ofBank, { ...own, successUrl: url })).is,
          "200",
          "an IAM_OWNER names any",
        );
      }
      for (const url of [own.successUrl, "https://shop.example/back", "https://shop.example:443/back"]) {
        assert.equal((await begin(ofEvil, { successUrl: url, failureUrl: url })).is, "200", url);
      }
    });

    await t.test("a provider that the caller's organization does not offer is not there", async () => {
      assert.equal((await begin(ofBank, own)).is, unknown, "of another organization");
      assert.equal((await begin(unlisted, own)).is, unknown, "one of the instance that is not offered");
      assert.equal((await beginAs(ann.token, ofBank, own)).is, "200", "but to the bank's own people");
      assert.equal((await begin(ofInstance, own)).is, "200", "one that everyone is offered");
      assert.equal((await beginAs(undefined, unlisted, pages)).is, "200", "sign-in applications may");
      await appoint(server, joe, { organizationId: evil }, ["ORG_OWNER"]);
      assert.equal((await begin(ofBank, own)).is, unknown, "owners of another organization neither");
      assert.equal((await begin(ofInstance, pages)).is, foreign);
      await changeSettings(server, "login", { allowExternalIdp: false, identityProviderIds: [ofInstance] }, evil);
      assert.equal((await begin(ofInstance, own)).is, unknown, "none where the settings forbid it");
      await changeSettings(server, "login", { allowExternalIdp: true, identityProviderIds: [ofInstance] }, evil);
    });

    await t.test("what a user began, only that user reads", async () => {
      const read = (parameters: Readonly<Record<string, string | undefined>>, as?: string) =>
        server.rest("POST", `/v2/idp_intents/${parameters["id"]}`, {
          body: { idpIntentToken: parameters["token"] },
          ...(as !== undefined && { token: as }),
        });
      const begun = await begin(ofInstance, own);
      const { parameters } = await arrive(provider.signIn(begun.url));
      assert.ok(parameters["token"], JSON.stringify(parameters));
      for (const stranger of [ann.token, undefined]) {
        const refused = await read(parameters, stranger);
        assert.equal(refused.body.details?.[0]?.id, "identity_intent.invalid", JSON.stringify(refused.body));
      }
      assert.equal((await read(parameters, token)).status, 200);
      // What a sign-in application began is read with the token, by any user whom it leads there.
      const served = await attempt(server, provider, ofInstance);
      assert.equal((await read(served.parameters, ann.token)).status, 200);
    });
  });
});
