import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { fetch } from "../../support/http/fetch.ts";
import type { OidcServer } from "../../support/oidc/oidc.ts";
import { etagOf } from "../../support/oidc/trust.ts";
import { documentOf, isTaken, permit, start, startSite, toClient } from "./document-site.ts";

const applications = "service.application.v2.ApplicationService";

/** The application of a document's client, and how an administrator of the instance changes it. */
async function applicationOf(server: OidcServer, name = "Notebook") {
  const found = (await server.connect(`${applications}/ListApplications`, {})).body.applications.find(
    (one: { name: string }) => one.name.startsWith(name),
  );
  const { applicationId, projectId } = found;
  return {
    read: async () => {
      const { body } = await server.connect(`${applications}/GetApplication`, { applicationId });
      return body.application.oidcConfiguration;
    },
    update: async (oidcConfiguration: object) => {
      const answer = await server.connect(`${applications}/UpdateApplication`, {
        applicationId,
        projectId,
        etag: await etagOf(server, applicationId),
        oidcConfiguration,
      });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    },
  };
}

test("what an administrator set on a document's client stays when the document changes", async (t) => {
  const server = await start(t);
  await permit(server, { allowAnyUrl: true });
  const site = await startSite(t);
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = [{ ...publicKey.export({ format: "jwk" }), kid: "1", use: "sig", alg: "PS256" }];
  const keyed = (more: object = {}) =>
    documentOf(site, { token_endpoint_auth_method: "private_key_jwt", jwks: { keys }, ...more });
  const publish = async (document: unknown, isGood = true) => {
    site.publish(document);
    server.clock.now += 15 * 60_000;
    assert.equal(await isTaken(server, site), isGood);
  };
  await publish(keyed());
  const { read, update } = await applicationOf(server);
  await update({ accessTokenType: "OIDC_TOKEN_TYPE_JWT", roleListAssertion: true, roleListClaim: "authorities" });
  await update({ pkceRequired: true, consentRequired: false, trustedForApi: true });
  const kept = async () => {
    const { accessTokenType, roleListAssertion, roleListClaim, pkceRequired } = await read();
    return { accessTokenType, roleListAssertion, roleListClaim, pkceRequired };
  };
  const mine = {
    accessTokenType: "OIDC_TOKEN_TYPE_JWT",
    roleListAssertion: true,
    roleListClaim: "authorities",
    pkceRequired: true,
  };
  const vouched = async () => {
    const { consentRequired = false, trustedForApi = false } = await read();
    return [consentRequired, trustedForApi];
  };
  assert.deepEqual(await kept(), mine);
  await publish(keyed());
  assert.deepEqual([await kept(), await vouched()], [mine, [false, true]], "the same document changes nothing");
  await publish(keyed({ client_uri: site.receiver.origin }));
  assert.deepEqual([await kept(), await vouched()], [mine, [false, true]], "nothing that the trust rests on");
  await publish(keyed({ redirect_uris: [`${site.receiver.origin}/callback`, `${site.receiver.origin}/more`] }));
  assert.deepEqual([await kept(), await vouched()], [mine, [true, false]], "addresses");
  await update({ consentRequired: false, trustedForApi: true });
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey;
  const otherKeys = [{ ...other.export({ format: "jwk" }), kid: "2", use: "sig", alg: "PS256" }];
  await publish(keyed({ jwks: { keys: otherKeys } }));
  assert.deepEqual([await kept(), await vouched()], [mine, [true, false]], "keys");

  // A profile binds the client; a document that contradicts it is refused and changes nothing.
  await update({ securityProfile: "OIDC_CLIENT_PROFILE_FAPI2" });
  // A FAPI client pushes its requests, so that what is sent through the browser is refused at its own address.
  const isKnown = async () => {
    const { redirectUri } = toClient(site);
    const query = new URLSearchParams({ client_id: site.url, redirect_uri: redirectUri, response_type: "code" });
    const answer = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
    const isSentBack = answer.headers.get("location")?.startsWith(redirectUri) === true;
    assert.equal(isSentBack, answer.status !== 400, `${answer.status}`);
    return isSentBack;
  };
  const bound = async () => {
    const { securityProfile, authMethodType, redirectUris } = await read();
    return [securityProfile, authMethodType, redirectUris.length];
  };
  const fapi = ["OIDC_CLIENT_PROFILE_FAPI2", "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT", 1];
  site.publish(keyed({ client_name: "Notebook 2" }));
  server.clock.now += 15 * 60_000;
  assert.deepEqual([await isKnown(), await bound()], [true, fapi]);
  site.publish(documentOf(site, { redirect_uris: [`${site.receiver.origin}/callback`, "https://other.example/"] }));
  server.clock.now += 15 * 60_000;
  for (const time of ["first", "second"]) assert.deepEqual([await isKnown(), await bound()], [false, fapi], time);
  site.publish(keyed());
  server.clock.now += 15 * 60_000;
  assert.deepEqual([await isKnown(), await bound()], [true, fapi]);
});

test("tokens of a document's client end with the consent when the document changes (A18)", async (t) => {
  const server = await start(t);
  await permit(server, { allowAnyUrl: true });
  const site = await startSite(t);
  const refresh = (token = "") =>
    server.form("/oauth/v2/token", { grant_type: "refresh_token", refresh_token: token, client_id: site.url });
  const tokens = await server.tokens({ client: toClient(site), scope: "openid offline_access" });
  server.clock.now += 15 * 60_000;
  const again = await refresh(tokens["refresh_token"]);
  assert.equal(again.status, 200, "the same document");
  site.publish(documentOf(site, { client_name: "Notebook of another" }));
  server.clock.now += 15 * 60_000;
  assert.equal(await isTaken(server, site), true);
  const ended = await refresh(again.body.refresh_token);
  assert.deepEqual([ended.status, ended.body.error], [400, "invalid_grant"]);
  const userinfo = await server.rest("GET", "/oidc/v1/userinfo", { token: again.body.access_token });
  assert.equal(userinfo.status, 401);
});
