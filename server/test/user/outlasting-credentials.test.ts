import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { slugOf } from "../factor/support.ts";
import { proofOf, startExchangeServer, typeOf } from "../oauth/token-exchange/support.ts";
import { enginesInTurn } from "../support/databases/turns.ts";
import { signAssertion } from "../support/oidc/assertions.ts";
import { basicOf } from "../support/oidc/oidc.ts";
import { addOrganization, appoint } from "../support/people/people.ts";

const users = "service.user.v2.UserService";
type KeyPair = ReturnType<typeof makePair>;
const makePair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const spkiOf = ({ publicKey: key }: KeyPair): string =>
  Buffer.from(key.export({ type: "spki", format: "pem" })).toString("base64");
const publicKey = spkiOf(makePair());

enginesInTurn((engine, test) => {
  test("a service account makes itself no credential that outlasts the token that it presents", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const organizationId = await addOrganization(server, "Acme");
    const at = (day: number): string => new Date(server.clock.now + day * 86_400_000).toISOString();
    const make = async (username: string, expirationDate: string | undefined) => {
      const machine = { organizationId, username, machine: { name: username } };
      const made = await server.connect(`${users}/CreateUser`, machine);
      const userId: string = made.body.id;
      const { token } = (await server.connect(`${users}/AddPersonalAccessToken`, { userId, expirationDate })).body;
      return { userId, token: token as string };
    };
    const end = at(10);
    const { userId, token } = await make("deployer", end);
    const add = async (method: string, body: object, by: string | undefined, whom = userId): Promise<string> => {
      const caller = by === undefined ? {} : { token: by };
      const answer = await server.connect(`${users}/${method}`, { userId: whom, ...body }, caller);
      return answer.status === 200 ? "done" : slugOf(answer);
    };
    const addV1 = async (path: string, body: object, by: string): Promise<string> => {
      const headers = { "x-zitadel-orgid": organizationId };
      const answer = await server.rest("POST", `/management/v1/users/${userId}/${path}`, { body, token: by, headers });
      return answer.status === 200 ? "done" : slugOf(answer);
    };
    const outlasts = "user.credential_outlasts_own";

    for (const expirationDate of [at(11), at(36_500), undefined]) {
      assert.equal(await add("AddPersonalAccessToken", { expirationDate }, token), outlasts, expirationDate ?? "none");
      assert.equal(await add("AddKey", { expirationDate, publicKey }, token), outlasts, expirationDate ?? "none");
    }
    assert.equal(await add("AddSecret", {}, token), outlasts, "a secret never ends");
    // The first generation never lets an account do so.
    for (const path of ["pats", "keys"])
      assert.equal(await addV1(path, { expirationDate: at(11) }, token), "permission.missing", path);
    const refused = await server.connect(
      `${users}/AddPersonalAccessToken`,
      { userId, expirationDate: at(11) },
      { token },
    );
    assert.equal(refused.status, 400);
    assert.match(JSON.stringify(refused.body), /expirationDate|expiration_date/, "the field is named");
    for (const expirationDate of [at(1), end]) {
      assert.equal(await add("AddPersonalAccessToken", { expirationDate }, token), "done", expirationDate);
      assert.equal(await add("AddKey", { expirationDate, publicKey }, token), "done", expirationDate);
    }

    // What is exchanged for it does not reach these methods.
    const exchanged = await server.form("/oauth/v2/token", {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      ...proofOf(server, server.keyClient),
      subject_token: token,
      subject_token_type: typeOf.access_token,
      scope: "openid",
    });
    assert.equal(exchanged.status, 200, JSON.stringify(exchanged.body));
    assert.equal(await add("AddSecret", {}, exchanged.body.access_token), "authentication.wrong_audience");

    // A token that was got by a key is worth no more than the key.
    const byKey = async (pair: KeyPair, expirationDate: string | undefined): Promise<string> => {
      const added = await server.connect(`${users}/AddKey`, { userId, expirationDate, publicKey: spkiOf(pair) });
      assert.equal(added.status, 200, JSON.stringify(added.body));
      const granted = await server.form("/oauth/v2/token", {
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: signAssertion(server, {
          key: pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string,
          keyId: added.body.keyId,
          subject: userId,
        }),
        scope: "openid urn:service:iam:org:project:id:service:aud",
      });
      assert.equal(granted.status, 200, JSON.stringify(granted.body));
      return granted.body.access_token;
    };
    const keyed = await byKey(makePair(), end);
    for (const expirationDate of [at(11), undefined]) {
      assert.equal(await add("AddKey", { expirationDate, publicKey }, keyed), outlasts, expirationDate ?? "none");
      assert.equal(await add("AddPersonalAccessToken", { expirationDate }, keyed), outlasts, expirationDate ?? "none");
    }
    assert.equal(await add("AddSecret", {}, keyed), outlasts);
    assert.equal(await add("AddKey", { expirationDate: end, publicKey }, keyed), "done");
    assert.equal(await add("AddPersonalAccessToken", { expirationDate: end }, keyed), "done");
    const endless = await byKey(makePair(), undefined);
    assert.equal(await add("AddKey", { publicKey }, endless), "done", "a key without end");
    assert.equal(await add("AddSecret", {}, endless), "done");

    // Others decide: administrators, for another account and for their own; a token without end; a secret of its own.
    assert.equal(await add("AddPersonalAccessToken", { expirationDate: at(11) }, undefined), "done");
    const admin = await make("admin", end);
    await appoint(server, admin, { organizationId }, ["ORG_USER_MANAGER"]);
    for (const whom of [userId, admin.userId]) {
      assert.equal(await add("AddPersonalAccessToken", { expirationDate: at(11) }, admin.token, whom), "done");
      assert.equal(await add("AddKey", { expirationDate: at(11), publicKey }, admin.token, whom), "done");
      assert.equal(await add("AddSecret", {}, admin.token, whom), "done");
    }
    const lasting = await make("lasting", undefined);
    assert.equal(await add("AddPersonalAccessToken", {}, lasting.token, lasting.userId), "done");
    assert.equal(await add("AddSecret", {}, lasting.token, lasting.userId), "done");
    const { clientSecret } = (await server.connect(`${users}/AddSecret`, { userId })).body;
    const own = await server.form(
      "/oauth/v2/token",
      { grant_type: "client_credentials", scope: "openid urn:service:iam:org:project:id:service:aud" },
      basicOf("deployer", clientSecret),
    );
    assert.equal(own.status, 200, JSON.stringify(own.body));
    assert.equal(await add("AddKey", { expirationDate: at(11), publicKey }, own.body.access_token), "done");
    assert.equal(await add("AddPersonalAccessToken", { expirationDate: at(11) }, own.body.access_token), "done");
    assert.equal(await add("AddSecret", {}, own.body.access_token), "done", "rotation");

    // What a login client holds as one does not count.
    const login = await make("login", end);
    await appoint(server, login, { instance: true }, ["IAM_LOGIN_CLIENT"]);
    assert.equal(await add("AddPersonalAccessToken", { expirationDate: at(11) }, login.token, login.userId), outlasts);
    assert.equal(await add("AddPersonalAccessToken", { expirationDate: end }, login.token, login.userId), "done");
  });
});
