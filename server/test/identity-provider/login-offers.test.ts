import assert from "node:assert/strict";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import { add, ask, must, refusal, type Side } from "./support.ts";

const login = "/policies/login";
const system = "IDP_OWNER_TYPE_SYSTEM";
const ofOrganization = "IDP_OWNER_TYPE_ORG";

serversInTurn((start, test) => {
  test("the login offers what its settings name, of the instance and of the organization", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Acme");
    const instance: Side = { name: "admin", server, organizationId: "" };
    const acme: Side = { name: "management", server, organizationId };
    const other: Side = { ...acme, organizationId: await addOrganization(server, "Other") };
    const shared = await add(instance, "oidc", { name: "Shared" });
    const google = await add(instance, "google", { name: "Everybody's", providerOptions: {} });
    const own = await add(acme, "jwt", { name: "Acme's own" });
    const foreign = await add(other, "github");

    const offered = async (side: Side): Promise<string[]> => {
      const { result, details } = await must(side, "POST", `${login}/idps/_search`, {});
      assert.equal(details.totalResult, result.length);
      return result.map(({ idpId }: { idpId: string }) => idpId);
    };
    const active = async (query: string): Promise<string[]> => {
      const { status, body } = await server.rest("GET", `/v2/settings/login/idps?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.details.totalResult, body.identityProviders.length);
      return body.identityProviders.map(({ id }: { id: string }) => id);
    };

    await t.test("an organization follows its instance until it offers something else", async () => {
      assert.deepEqual([await offered(instance), await offered(acme)], [[], []]);
      for (const idpId of [google, shared]) await must(instance, "POST", `${login}/idps`, { idpId });
      assert.deepEqual(
        [await offered(instance), await offered(acme)],
        [
          [google, shared],
          [google, shared],
        ],
      );
      const again = await must(instance, "POST", `${login}/idps`, { idpId: shared });
      const policy = await must(instance, "GET", login);
      assert.equal(again.details.sequence, policy.policy.details.sequence, "what is offered changes nothing");
      assert.deepEqual(policy.policy.idps, [
        { idpId: google, idpName: "Everybody's", idpType: "IDP_TYPE_UNSPECIFIED" },
        { idpId: shared, idpName: "Shared", idpType: "IDP_TYPE_OIDC" },
      ]);

      // What is not offered is removed without leaving the instance's settings.
      await must(acme, "DELETE", `${login}/idps/${own}`);
      assert.equal((await must(acme, "GET", login)).isDefault, true);
      await must(acme, "DELETE", `${login}/idps/${google}`);
      await must(acme, "POST", `${login}/idps`, { idpId: own, ownerType: ofOrganization });
      assert.deepEqual(
        [await offered(instance), await offered(acme)],
        [
          [google, shared],
          [shared, own],
        ],
      );
      const { policy: mine } = await must(acme, "GET", login);
      assert.deepEqual(mine.idps.at(-1), { idpId: own, idpName: "Acme's own", idpType: "IDP_TYPE_JWT" });
      const paged = await must(acme, "POST", `${login}/idps/_search`, { query: { offset: 1, limit: 1 } });
      assert.deepEqual([paged.result[0].idpId, paged.result.length, paged.details.totalResult], [own, 1, 2]);
    });

    await t.test("an owner cannot see providers that it cannot use", async () => {
      const cases: readonly [Side, object][] = [
        [instance, { idpId: own }],
        [instance, { idpId: "404" }],
        [acme, { idpId: foreign, ownerType: ofOrganization }],
        [acme, { idpId: shared, ownerType: ofOrganization }],
        [acme, { idpId: own, ownerType: system }],
      ];
      for (const [side, body] of cases) {
        assert.equal(await refusal(side, "POST", `${login}/idps`, body), "404 identity_provider.not_found");
      }
      const policy = { allowExternalIdp: true, passwordlessType: "PASSWORDLESS_TYPE_ALLOWED" };
      const withIdps = (idpId: string) => ({ ...policy, idps: [{ idpId, ownerType: ofOrganization }] });
      assert.equal(await refusal(other, "POST", login, withIdps(own)), "404 identity_provider.not_found");
      await must(other, "POST", login, withIdps(foreign));
      assert.deepEqual(await offered(other), [foreign]);
      await must(other, "DELETE", login);
      assert.deepEqual(await offered(other), [google, shared]);
      // A user who may only read the settings does not change them.
      assert.equal(
        (await server.rest("POST", `/admin/v1${login}/idps`, { body: { idpId: own }, token: null })).status,
        401,
      );
    });

    await t.test("the active providers are those that a user can sign in with", async () => {
      const of = `ctx.orgId=${organizationId}`;
      assert.deepEqual(
        [await active("ctx.instance=true"), await active(of)],
        [
          [google, shared],
          [shared, own],
        ],
      );
      const filters: readonly [query: string, expected: readonly string[]][] = [
        ["creationAllowed=true", [shared]],
        ["creationAllowed=false", [google]],
        ["linkingAllowed=true", [shared]],
        ["autoCreation=false", [google, shared]],
        ["autoCreation=true", []],
        ["autoLinking=true", [shared]],
        ["autoLinking=false", [google]],
      ];
      for (const [query, expected] of filters)
        assert.deepEqual(await active(`ctx.instance=true&${query}`), expected, query);
      const { body } = await server.rest("GET", "/v2/settings/login/idps?ctx.instance=true");
      assert.deepEqual(body.identityProviders[0], {
        id: google,
        name: "Everybody's",
        type: "IDENTITY_PROVIDER_TYPE_GOOGLE",
        options: {
          isLinkingAllowed: false,
          isCreationAllowed: false,
          isAutoCreation: false,
          isAutoUpdate: false,
          autoLinking: "AUTO_LINKING_OPTION_UNSPECIFIED",
        },
      });
      await must(instance, "POST", `/idps/${shared}/_deactivate`);
      assert.deepEqual([await active("ctx.instance=true"), await active(of)], [[google], [own]]);
      assert.deepEqual(await offered(instance), [google, shared]);
      await must(instance, "POST", `/idps/${shared}/_reactivate`);
      const { policy } = await must(instance, "GET", login);
      await must(instance, "PUT", login, { ...policy, allowExternalIdp: false });
      assert.deepEqual(await active("ctx.instance=true"), [], "nobody signs in by another server");
      assert.deepEqual(await offered(instance), [google, shared], "what is offered stays, for when they may again");
      assert.deepEqual(await active(of), [shared, own]);
      await must(instance, "PUT", login, { ...policy, allowExternalIdp: true });
    });

    await t.test("a deleted provider is no longer offered, and frees its slot", async () => {
      const { userId } = await addPerson(server, { username: "linked" });
      const links = `/v2/users/${userId}/links`;
      const linked = await server.rest("POST", links, {
        body: { idpLink: { idpId: shared, userId: "u1", userName: "u" } },
      });
      assert.ok(linked.status < 300, JSON.stringify(linked.body));
      const linksOf = async () => (await server.rest("POST", `${links}/_search`, { body: {} })).body.result;
      assert.equal((await linksOf()).length, 1);
      await must(instance, "DELETE", `/idps/templates/${shared}`);
      assert.deepEqual(await linksOf(), [], "nobody stays tied to it");
      const cascade = (await recordedEvents(server)).findLast(({ type }) =>
        type.endsWith("externalidp.cascade.removed"),
      );
      assert.equal(cascade?.aggregateId, userId);
      assert.deepEqual([await offered(instance), await offered(acme)], [[google], [own]]);
      assert.deepEqual((await must(acme, "GET", login)).policy.idps.length, 1);
      const next = await add(acme, "oauth");
      await must(acme, "POST", `${login}/idps`, { idpId: next, ownerType: ofOrganization });
      const written = (await recordedEvents(server)).findLast(({ type }) => type === "organization.login_settings.set");
      assert.deepEqual(written?.payload["identityProviderIds"], [own, next]);
    });

    await t.test("an organization goes with its providers", async () => {
      const gone = await server.connect("service.org.v2.OrganizationService/DeleteOrganization", { organizationId });
      assert.equal(gone.status, 200, JSON.stringify(gone.body));
      assert.equal((await server.rest("GET", `/v2/idps/${own}`)).status, 404);
      assert.equal((await ask(acme, "GET", `/idps/templates/${own}`)).status, 403);
      const { result } = await must(other, "POST", "/idps/templates/_search", {});
      assert.deepEqual(result.map(({ id }: { id: string }) => id).toSorted(), [foreign, google].toSorted());
    });
  });
});
