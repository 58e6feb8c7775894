import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { metadataXml } from "../support/identity-provider/saml-metadata.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { ask, bodyOf, kinds, must, type Side } from "./support.ts";

/** What a change of a field does to links, and a changed value. */
type Change = readonly [meaning: "suspends" | "keeps", value: unknown];

const other = "https://mallory.example/x";
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const otherKey = privateKey.export({ type: "pkcs8", format: "pem" });
const clientId: Change = ["suspends", "mallory"];
const scopes: Change = ["keeps", ["openid", "phone"]];
const endpoints = {
  authorizationEndpoint: ["suspends", other],
  tokenEndpoint: ["suspends", other],
  userEndpoint: ["suspends", other],
} as const;
const common = { name: ["keeps", "Renamed"] as Change, clientSecret: ["keeps", "rotated"] as Change };

/** Every field of every kind, written down apart from the rules of the product. */
const fields: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  oidc: {
    ...common,
    issuer: ["suspends", other],
    clientId,
    scopes,
    isIdTokenMapping: ["keeps", false],
    usePkce: ["keeps", false],
  },
  oauth: { ...common, ...endpoints, clientId, scopes, idAttribute: ["suspends", "email"], usePkce: ["keeps", true] },
  jwt: {
    name: common.name,
    issuer: ["suspends", "mallory"],
    jwtEndpoint: ["suspends", other],
    keysEndpoint: ["suspends", other],
    headerName: ["suspends", "x-mallory"],
    audience: ["suspends", "mallory"],
  },
  google: { ...common, clientId, scopes },
  github: { ...common, clientId, scopes },
  github_es: { ...common, ...endpoints, clientId, scopes },
  gitlab: { ...common, clientId, scopes },
  gitlab_self_hosted: { ...common, issuer: ["suspends", other], clientId, scopes },
  azure_ad: {
    ...common,
    clientId,
    scopes,
    tenant: ["suspends", { tenantId: "9188040d-6c67-4c5b-b112-36a304b66dad" }],
    emailVerified: ["keeps", false],
  },
  apple: {
    name: common.name,
    privateKey: ["keeps", Buffer.from(otherKey).toString("base64")],
    clientId,
    teamId: ["suspends", "TEAM654321"],
    keyId: ["keeps", "KEY7654321"],
    scopes,
  },
  ldap: {
    name: common.name,
    bindPassword: ["keeps", "rotated"],
    servers: ["suspends", ["ldaps://mallory.example"]],
    startTls: ["keeps", false],
    baseDn: ["suspends", "dc=mallory"],
    bindDn: ["keeps", "cn=other,dc=example"],
    userBase: ["suspends", "manager"],
    userObjectClasses: ["suspends", ["person", "account"]],
    userFilters: ["keeps", ["uid"]],
    timeout: ["keeps", "4s"],
    attributes: ["suspends", { idAttribute: "mail" }],
    rootCa: ["keeps", ""],
  },
  saml: {
    name: common.name,
    metadataXml: ["suspends", metadataXml({ certificate: 1 })],
    binding: ["keeps", "SAML_BINDING_REDIRECT"],
    withSignedRequest: ["keeps", false],
    nameIdFormat: ["suspends", "SAML_NAME_ID_FORMAT_EMAIL_ADDRESS"],
    transientMappingAttributeName: ["suspends", "mail"],
    federatedLogoutEnabled: ["keeps", false],
    signatureAlgorithm: ["keeps", "SAML_SIGNATURE_RSA_SHA256"],
  },
};

serversInTurn((start, test) => {
  test("links belong to a provider and to the party that speaks for it (A2)", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Linked");
    const { userId } = await addPerson(server, { username: "linked", organizationId });
    const sides: readonly Side[] = [
      { name: "admin", server, organizationId: "" },
      { name: "management", server, organizationId },
    ];
    const link = async (idpId: string) =>
      server.rest("POST", `/v2/users/${userId}/links`, {
        body: { idpLink: { idpId, userId: "there", userName: "there" } },
      });
    const states = async (idpId: string): Promise<boolean[]> => {
      const { body } = await server.rest("POST", `/v2/users/${userId}/links/_search`, { body: {} });
      return body.result
        .filter((each: { idpId: string }) => each.idpId === idpId)
        .map(({ suspended = false }: { suspended?: boolean }) => suspended);
    };
    const addLinked = async (side: Side, path: string, body: object) => {
      const idpId: string = (await must(side, "POST", path, body)).id;
      const linked = await link(idpId);
      assert.equal(linked.status, 200, JSON.stringify(linked.body));
      return idpId;
    };

    for (const side of sides) {
      for (const [kind, known] of Object.entries(kinds)) {
        await t.test(`each field of ${kind} that says who speaks suspends the links, ${side.name} (A2)`, async () => {
          const table = fields[kind];
          assert.ok(table, kind);
          const body = bodyOf(known);
          const asked = Object.keys(body).filter((name) => name !== "providerOptions");
          assert.deepEqual(Object.keys(table).toSorted(), asked.toSorted(), "every field has its row");
          const idpId = await addLinked(side, `/idps/${known.path}`, body);
          const method = known.updatesByPost && side.name === "admin" ? "POST" : "PUT";
          const update = (given: object) => must(side, method, `/idps/${known.path}/${idpId}`, { ...body, ...given });
          for (const [field, [meaning, value]] of Object.entries(table)) {
            await update({ [field]: value });
            assert.deepEqual(await states(idpId), [meaning === "suspends"], field);
            await update({});
            assert.deepEqual(await states(idpId), [false], `${field}: the former speaker speaks again`);
          }
          await update({ providerOptions: {} });
          assert.deepEqual(await states(idpId), [false], "options");
        });
      }

      await t.test(`the older methods as well, ${side.name} (A2)`, async () => {
        const common2 = { name: "Older", stylingType: "STYLING_TYPE_GOOGLE" };
        const oidc = { issuer: "https://idp.example", clientId: "client", clientSecret: "s", scopes: ["openid"] };
        const jwt = {
          jwtEndpoint: "https://p.example/in",
          issuer: "https://p.example",
          keysEndpoint: "https://p.example/keys",
          headerName: "x-token",
        };
        for (const [path, config, body, changes] of [
          ["oidc", "oidc_config", oidc, { issuer: other, clientId: "mallory", scopes: undefined }],
          ["jwt", "jwt_config", jwt, { jwtEndpoint: other, issuer: other, keysEndpoint: other, headerName: "x-other" }],
        ] as const) {
          const made = await must(side, "POST", `/idps/${path}`, { ...common2, ...body });
          const idpId: string = made.idpId;
          assert.equal((await link(idpId)).status, 200);
          for (const [field, value] of Object.entries(changes)) {
            await must(side, "PUT", `/idps/${idpId}/${config}`, { ...body, [field]: value ?? ["openid", "phone"] });
            assert.deepEqual(await states(idpId), [value !== undefined], `${path} ${field}`);
            await must(side, "PUT", `/idps/${idpId}/${config}`, body);
            assert.deepEqual(await states(idpId), [false], `${path} ${field} again`);
          }
          await must(side, "PUT", `/idps/${idpId}`, { name: "Renamed" });
          assert.deepEqual(await states(idpId), [false], "name and styling");
        }
      });

      await t.test(`a migration keeps the links of the same issuer and client only, ${side.name} (A2)`, async () => {
        const generic = (issuer: string) => ({ ...bodyOf(kinds.oidc), issuer, clientId: "client" });
        const template = { name: "Template", clientId: "client", clientSecret: "secret" };
        for (const [issuer, migrated, isKept] of [
          ["https://accounts.google.com", { google: template }, true],
          ["https://mallory.example", { google: template }, false],
          ["https://accounts.google.com", { google: { ...template, clientId: "mallory" } }, false],
          ["https://accounts.google.com", { azure: template }, false],
        ] as const) {
          const idpId = await addLinked(side, "/idps/generic_oidc", generic(issuer));
          await must(side, "POST", `/idps/generic_oidc/${idpId}/_migrate`, migrated);
          assert.deepEqual(await states(idpId), [!isKept], JSON.stringify(migrated));
        }
      });
    }

    await t.test("an administrator resumes a suspended link by linking again (A2)", async () => {
      const [side] = sides;
      assert.ok(side);
      const body = bodyOf(kinds.oidc);
      const idpId = await addLinked(side, "/idps/generic_oidc", body);
      assert.equal((await link(idpId)).body.details[0].id, "identity_link.taken");
      await must(side, "PUT", `/idps/generic_oidc/${idpId}`, { ...body, issuer: other });
      const methods = async () =>
        (await server.rest("GET", `/v2/users/${userId}/authentication_methods`)).body.authMethodTypes;
      for (const one of (await server.rest("POST", `/v2/users/${userId}/links/_search`, { body: {} })).body.result) {
        if (one.idpId !== idpId) await server.rest("DELETE", `/v2/users/${userId}/links/${one.idpId}/there`);
      }
      assert.ok(!(await methods()).includes("AUTHENTICATION_METHOD_TYPE_IDP"), "a suspended link is no way to sign in");
      assert.equal((await link(idpId)).status, 200);
      assert.ok((await methods()).includes("AUTHENTICATION_METHOD_TYPE_IDP"));
      assert.deepEqual((await states(idpId)).toSorted(), [false, true]);
      assert.equal((await server.rest("DELETE", `/v2/users/${userId}/links/${idpId}/there`)).status, 200);
      assert.deepEqual(await states(idpId), [], "removing takes the suspended one as well");
      assert.equal((await ask(side, "DELETE", `/idps/${idpId}`)).status, 200);
    });
  });
});
