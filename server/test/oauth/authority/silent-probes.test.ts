import assert from "node:assert/strict";
import { isBack, signedIn, visit } from "../../login/support/sign-in.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";
import { addOrganization, addPerson } from "../../support/people/people.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import { allow, errorOf } from "../support/registered-resources.ts";

const iam = "urn:service:iam";
const claims = (idToken: object) => ({ claims: JSON.stringify({ id_token: idToken }) });

enginesInTurn((engine, test) => {
  test("an application that the user never consented to cannot silently learn who they are (A1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const home = await addOrganization(server, "Home");
    const elsewhere = await addOrganization(server, "Elsewhere");
    const ada = await addPerson(server, { username: "ada", organizationId: home });
    const bob = await addPerson(server, { username: "bob", organizationId: home });
    const stranger = await addClient(server, {}, "Stranger", elsewhere);
    const registered = await addClient(server, { isConsentRequired: true }, "Registered");
    const own = await addClient(server, {}, "Own", home);
    const browser = await signedIn(server, ada);
    const silently = async (client: SignInClient, parameters: Record<string, string>, by = browser) => {
      const { page } = await visit(server, client, { prompt: "none", ...parameters }, by);
      return isBack(page) ? "answered" : errorOf(page);
    };
    /** Each pair is true and false of the user. */
    const questions: Record<string, readonly [Record<string, string>, Record<string, string>]> = {
      "one of these": [claims({ sub: { values: ["x", ada.userId] } }), claims({ sub: { values: ["x", bob.userId] } })],
      "this one": [claims({ sub: { value: ada.userId } }), claims({ sub: { value: bob.userId } })],
      "an organization": [{ scope: `openid ${iam}:org:id:${home}` }, { scope: `openid ${iam}:org:id:${elsewhere}` }],
      "a domain": [
        { scope: `openid ${iam}:org:domain:primary:home.localhost` },
        { scope: `openid ${iam}:org:domain:primary:elsewhere.localhost` },
      ],
      "two factors": [
        claims({ acr: { essential: true, value: `${iam}:acr:1` } }),
        claims({ acr: { essential: true, value: `${iam}:acr:2` } }),
      ],
      "the time since": [{ max_age: "3600" }, { max_age: "0" }],
    };
    server.clock.now += 1000;
    for (const [what, [yes, no]] of Object.entries(questions)) {
      for (const client of [stranger, registered]) {
        assert.equal(await silently(client, yes), "consent_required", what);
        assert.equal(await silently(client, no), "consent_required", `not ${what}`);
      }
      assert.equal(await silently(own, yes), "answered", `${what}: for an application at home`);
      assert.notEqual(await silently(own, no), "answered", `not ${what}: for an application at home`);
    }

    // With a second user in the browser, a name would tell whether its user is one of them.
    await signedIn(server, bob, browser);
    assert.equal(await silently(stranger, { login_hint: ada.loginName }), "consent_required");
    assert.equal(await silently(stranger, { login_hint: "nobody" }), "consent_required");
    assert.equal(await silently(own, { login_hint: ada.loginName }), "answered");

    // Who let it in is known to it, and the other one as little as before.
    const other = await signedIn(server, ada);
    await allow(other, (await visit(server, stranger, {}, other)).page);
    const [isAda, isBob] = questions["this one"] ?? [];
    assert.equal(await silently(stranger, isAda ?? {}, other), "answered");
    assert.equal(await silently(stranger, isBob ?? {}, other), "login_required");
    assert.equal(await silently(stranger, isBob ?? {}), "consent_required", "beside a stranger");
  });
});
