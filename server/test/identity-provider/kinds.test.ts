import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import type { TestContext } from "node:test";
import type { ProviderKind } from "../../src/domain/identity-provider/index.ts";
import { addOrganization } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";
import {
  add,
  ask,
  bodyOf,
  type KindCase,
  kinds,
  must,
  options,
  refusal,
  type Side,
  secret,
  secretOf,
} from "./support.ts";

const updateOf = (side: Side, { updatesByPost }: KindCase): string =>
  side.name === "admin" && updatesByPost === true ? "POST" : "PUT";

const ownerTypes = { admin: "IDP_OWNER_TYPE_SYSTEM", management: "IDP_OWNER_TYPE_ORG" } as const;

/** What answers show of a request: the configuration without name, secret and options. */
const shown = ({ name: _, ...configuration }: Readonly<Record<string, unknown>>) => configuration;

async function eventsOf({ server }: Side, id: string): Promise<string[]> {
  const events = await recordedEvents(server);
  return events.filter(({ payload }) => payload["id"] === id).map(({ type }) => type);
}

serversInTurn((start, test) => {
  test("identity providers", async (t) => {
    const server = await start(t);
    await t.test(
      "every kind is added, read, changed and deleted, for the instance and for an organization",
      (kindsTest) => everyKind(server, kindsTest),
    );
    await t.test("unsafe configurations are refused with the field named, and a secret stays with its server", () =>
      refusals(server),
    );
    await t.test("names, scopes and options have their defaults", () => defaults(server));
    await t.test("a generic OpenID provider becomes a template and stays the same provider", () => migrations(server));
  });
});

/** Leaves out what the server read of metadata (`saml/certificates-shown.test.ts`). */
function withoutPartner(idp: RestAnswer["body"]): RestAnswer["body"] {
  const { saml } = idp.config;
  if (saml === undefined) return idp;
  const { partner, ...rest } = saml;
  assert.equal(partner.signingCertificates.length, 1);
  return { ...idp, config: { ...idp.config, saml: rest } };
}

async function everyKind(server: TestServer, t: TestContext): Promise<void> {
  const organizationId = await addOrganization(server, "Acme");
  const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId;
  for (const name of ["admin", "management"] as const) {
    const side: Side = { name, server, organizationId };
    for (const [kind, known] of Object.entries(kinds)) {
      await t.test(`${kind} by ${name}`, async () => {
        const { id, details } = await must(side, "POST", `/idps/${known.path}`, bodyOf(known));
        assert.equal(details.resourceOwner, name === "admin" ? instanceId : organizationId);
        const read = async () => withoutPartner((await must(side, "GET", `/idps/templates/${id}`)).idp);
        const { details: _, etag, ...idp } = await read();
        assert.match(etag, /^[\w-]{43}$/);
        assert.deepEqual(idp, {
          id,
          name: "Example",
          state: "IDP_STATE_ACTIVE",
          owner: ownerTypes[name],
          answeringRoles: ["IAM_OWNER"],
          type: `PROVIDER_TYPE_${known.type}`,
          config: { options, [known.member]: shown(known.body) },
        });

        // v2 shows the same, except for what it has no word for.
        const v2 = withoutPartner((await server.rest("GET", `/v2/idps/${id}`)).body.idp);
        const { usePkce: __, attributes, ...configuration } = shown(known.body);
        // The newer message of attributes has a field that the published interface never fills.
        const named = attributes === undefined ? {} : { attributes: { ...attributes, rootCa: "" } };
        assert.deepEqual(
          { ...v2, details: undefined },
          {
            id,
            name: "Example",
            state: "IDP_STATE_ACTIVE",
            type: `IDP_TYPE_${known.type}`,
            details: undefined,
            config: { options, [known.member]: { ...configuration, ...named } },
          },
        );

        // So does what the login offers, which has numbers of its own (settings.v2).
        await must(side, "POST", "/policies/login/idps", { idpId: id, ownerType: ownerTypes[name] });
        const scope = name === "admin" ? "ctx.instance=true" : `ctx.orgId=${organizationId}`;
        const { body: offered } = await server.rest("GET", `/v2/settings/login/idps?${scope}`);
        assert.deepEqual(
          offered.identityProviders.find((each: { id: string }) => each.id === id),
          { id, name: "Example", type: `IDENTITY_PROVIDER_TYPE_${known.type}`, options },
        );

        // Without a secret the present one stays; without options nothing is allowed.
        const update = { ...known.body, ...known.changed, name: "Renamed" };
        const changed = await must(side, updateOf(side, known), `/idps/${known.path}/${id}`, update);
        const after = await read();
        assert.equal(after.details.sequence, changed.details.sequence);
        assert.equal(after.name, "Renamed");
        assert.deepEqual(after.config[known.member], { ...shown(known.body), ...known.changed });
        assert.equal(after.config.options.isCreationAllowed, false);
        const again = await must(side, updateOf(side, known), `/idps/${known.path}/${id}`, update);
        assert.equal(again.details.sequence, changed.details.sequence, "what changes nothing is no change");

        // A provider of this kind cannot be changed as one of another kind.
        const other = kind === "google" ? "github" : "google";
        const otherBody = { name: "Other", clientId: "c", clientSecret: "s" };
        assert.equal(await refusal(side, "PUT", `/idps/${other}/${id}`, otherBody), "404 identity_provider.not_found");

        await must(side, "DELETE", `/idps/templates/${id}`);
        for (const answer of [
          await refusal(side, "GET", `/idps/templates/${id}`),
          await refusal(side, "DELETE", `/idps/templates/${id}`),
          await refusal(side, updateOf(side, known), `/idps/${known.path}/${id}`, update),
        ]) {
          assert.equal(answer, "404 identity_provider.not_found");
        }
        const owner = name === "admin" ? "instance" : "organization";
        assert.deepEqual(
          await eventsOf(side, id),
          [`${known.event}.added`, `${known.event}.changed`, "removed"].map((what) => `${owner}.idp.${what}`),
        );
      });
    }
  }
  const events = JSON.stringify(await recordedEvents(server));
  assert.doesNotMatch(events, /PRIVATE KEY/);
  assert.doesNotMatch(events, new RegExp(`${secret}|v1\\.[\\w-]+\\.[\\w-]+\\.`), "no secret is in an event");
}

async function refusals(server: TestServer): Promise<void> {
  const side: Side = { name: "admin", server, organizationId: "" };
  const cases: readonly [kind: ProviderKind, body: object, id: string, field: string][] = [
    ...(Object.keys(kinds) as ProviderKind[]).flatMap((kind) =>
      kinds[kind].addresses.flatMap((field): [ProviderKind, object, string, string][] => [
        [kind, { [field]: "idp.example" }, "identity_provider.address_invalid", field],
        [kind, { [field]: "https://user:pass@idp.example/" }, "identity_provider.address_invalid", field],
        [kind, { [field]: "javascript:alert(1)" }, "identity_provider.address_invalid", field],
        [kind, { [field]: "http://idp.example/" }, "identity_provider.address_forbidden", field],
        [kind, { [field]: "https://169.254.169.254/" }, "identity_provider.address_forbidden", field],
        [kind, { [field]: "https://[::1]/" }, "identity_provider.address_forbidden", field],
      ]),
    ),
    ["oidc", { issuer: "https://idp.example/?tenant=1" }, "field.invalid", "issuer"],
    ["gitlab_self_hosted", { issuer: "https://idp.example?x" }, "field.invalid", "issuer"],
    ["oidc", { scopes: ["openid email"] }, "field.invalid", "scopes"],
    ["google", { scopes: ['a"b'] }, "field.invalid", "scopes"],
    ["google", { clientId: "a\nb" }, "field.invalid", "clientId"],
    ["google", { name: "G\u202eoogle" }, "field.invalid", "name"],
    ["oauth", { name: " " }, "field.required", "name"],
    ["oauth", { idAttribute: "i\u0000d" }, "field.invalid", "idAttribute"],
    ["jwt", { headerName: "x-token: y" }, "field.invalid", "headerName"],
    ["jwt", { keysEndpoint: "" }, "field.required", "keysEndpoint"],
    ["azure_ad", { tenant: { tenantId: "../common" } }, "field.invalid", "tenant"],
    ["azure_ad", { tenant: { tenantId: "" } }, "field.invalid", "tenant"],
    ["oidc", { clientSecret: "" }, "field.required", "clientSecret"],
    ["apple", { privateKey: "" }, "field.required", "privateKey"],
    ["apple", { privateKey: btoa("no key") }, "identity_provider.private_key_invalid", "privateKey"],
    ["apple", { privateKey: btoa(foreignKey) }, "identity_provider.private_key_invalid", "privateKey"],
    ["apple", { teamId: "TEAM12345" }, "field.length", "teamId"],
    ["apple", { keyId: "KEY\u0000234567" }, "field.invalid", "keyId"],
    ["ldap", { servers: ["ldap.example"] }, "identity_provider.server_invalid", "servers"],
    ["ldap", { servers: ["ldaps://a.example", "https://b.example"] }, "identity_provider.server_invalid", "servers"],
    ["ldap", { servers: ["ldaps://user@ldap.example"] }, "identity_provider.server_invalid", "servers"],
    ["ldap", { servers: ["ldaps://10.0.0.1"] }, "identity_provider.server_forbidden", "servers"],
    ["ldap", { servers: ["ldaps://[::ffff:10.0.0.1]"] }, "identity_provider.server_forbidden", "servers"],
    ["ldap", { servers: ["ldap://8.8.8.8"], startTls: false }, "identity_provider.server_forbidden", "servers"],
    ["ldap", { userBase: "uid=" }, "field.invalid", "userBase"],
    ["ldap", { userFilters: ["uid", "(uid=*)"] }, "field.invalid", "userFilters"],
    ["ldap", { userObjectClasses: ["person)(uid=*"] }, "field.invalid", "userObjectClasses"],
    ["ldap", { baseDn: "dc=a\u0000" }, "field.invalid", "baseDn"],
    ["ldap", { bindDn: "cn=a\u202e" }, "field.invalid", "bindDn"],
    ["ldap", { timeout: "61s" }, "field.duration_too_long", "timeout"],
    ["ldap", { timeout: "-1s" }, "field.duration_too_short", "timeout"],
    ["ldap", { rootCa: btoa("no certificate") }, "field.must_be", "rootCa"],
    ["ldap", { rootCa: btoa(certificateOf("AAAA")) }, "field.must_be", "rootCa"],
    ["ldap", { attributes: {} }, "field.required", "attributes.idAttribute"],
    ["ldap", { attributes: undefined }, "field.required", "attributes.idAttribute"],
    [
      "ldap",
      { attributes: { idAttribute: "uid", emailAttribute: "a b" } },
      "field.invalid",
      "attributes.emailAttribute",
    ],
    ["ldap", { bindPassword: "" }, "field.required", "bindPassword"],
  ];
  for (const [kind, body, id, field] of cases) {
    const known = kinds[kind];
    const answer = await ask(side, "POST", `/idps/${known.path}`, { ...bodyOf(known), ...body });
    assert.equal(`${answer.status} ${answer.body.details?.[0]?.id}`, `400 ${id}`, `${kind} ${JSON.stringify(body)}`);
    assert.equal(answer.body.details[0].field, field, `${kind} ${JSON.stringify(body)}`);
    assert.ok(id.endsWith("_forbidden") || answer.body.message.includes(field), answer.body.message);
  }
  assert.equal((await must(side, "POST", "/idps/templates/_search", {})).details.totalResult ?? 0, 0);

  // An operator opened this machine, so it may be asked without TLS.
  for (const issuer of ["http://127.0.0.1:4711", "http://localhost:4711/realm"]) await add(side, "oidc", { issuer });

  const moved: readonly [kind: ProviderKind, change: object, isKept: boolean][] = [
    ["oidc", { issuer: "https://evil.test" }, false],
    ["oidc", { issuer: "https://idp.example:8443/realm" }, false],
    ["oidc", { issuer: "https://idp.example/elsewhere" }, true],
    ["oauth", { tokenEndpoint: "https://evil.test/token" }, false],
    ["oauth", { userEndpoint: "https://api.example/user" }, true],
    ["github_es", { tokenEndpoint: "https://evil.test/token" }, false],
    ["gitlab_self_hosted", { issuer: "https://evil.test" }, false],
    ["azure_ad", { tenant: { tenantId: "other.example" } }, true],
    ["ldap", { servers: ["ldaps://evil.test"] }, false],
    ["ldap", { servers: ["ldaps://ldap.example", "ldap://ldap2.example:389", "ldaps://evil.test"] }, false],
    ["ldap", { servers: ["ldap://ldap2.example:389", "ldaps://ldap.example"] }, true],
    // What protects the password on its way.
    ["ldap", { startTls: false }, false],
    ["ldap", { rootCa: "" }, false],
    ["ldap", { baseDn: "dc=other" }, true],
  ];
  for (const [kind, change, isKept] of moved) {
    const known = kinds[kind];
    const id = await add(side, kind);
    const path = `/idps/${known.path}/${id}`;
    const method = updateOf(side, known);
    const answer = await refusal(side, method, path, { ...known.body, ...change });
    const missing = known.secretField === undefined ? "secret_required" : "bind_password_required";
    assert.equal(answer, isKept ? "200 undefined" : `400 identity_provider.${missing}`, JSON.stringify(change));
    await must(side, method, path, { ...known.body, ...change, [known.secretField ?? "clientSecret"]: "another" });
  }
}

// Of another curve.
const foreignKey = generateKeyPairSync("ec", { namedCurve: "secp384r1" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();

const certificateOf = (base64: string): string => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`;

async function defaults(server: TestServer): Promise<void> {
  const side: Side = { name: "admin", server, organizationId: "" };
  const apple = { clientId: "c", teamId: "TEAM123456", keyId: "KEY1234567", ...secretOf(kinds.apple) };
  const ofApple = (await must(side, "POST", "/idps/apple", apple)).id;
  assert.equal((await must(side, "GET", `/idps/templates/${ofApple}`)).idp.name, "Apple");
  for (const [kind, name] of Object.entries({ google: "Google", github: "GitHub", gitlab: "GitLab" })) {
    const id = (await must(side, "POST", `/idps/${kind}`, { clientId: "c", clientSecret: secret })).id;
    const { idp } = await must(side, "GET", `/idps/templates/${id}`);
    assert.equal(idp.name, name);
    assert.deepEqual(idp.config[kind], { clientId: "c", scopes: [] });
    assert.equal(idp.config.options.autoLinking, "AUTO_LINKING_OPTION_UNSPECIFIED");
    assert.equal(idp.config.options.isLinkingAllowed, false);
  }
  const azure = await add(side, "azure_ad", { tenant: undefined });
  const { idp } = await must(side, "GET", `/idps/templates/${azure}`);
  assert.deepEqual(idp.config.azureAd.tenant, { tenantType: "AZURE_AD_TENANT_TYPE_COMMON" });
}

async function migrations(server: TestServer): Promise<void> {
  const organizationId = await addOrganization(server, "Beta");
  const templates = { azure: "azure_ad", google: "google" } as const;
  for (const name of ["admin", "management"] as const) {
    const side: Side = { name, server, organizationId };
    for (const [template, kind] of Object.entries(templates)) {
      const id = await add(side, "oidc");
      const body = { [template]: bodyOf(kinds[kind]) };
      const path = `/idps/generic_oidc/${id}/_migrate`;
      assert.equal(await refusal(side, "POST", path, {}), "400 field.required");
      await must(side, "POST", path, body);
      const { idp } = await must(side, "GET", `/idps/templates/${id}`);
      assert.equal(idp.type, `PROVIDER_TYPE_${kinds[kind].type}`);
      assert.equal(await refusal(side, "POST", path, body), "404 identity_provider.not_found");
      assert.equal(
        (await eventsOf(side, id)).at(-1),
        `${name === "admin" ? "instance" : "organization"}.idp.oidc.migrated`,
      );
    }
  }
}
