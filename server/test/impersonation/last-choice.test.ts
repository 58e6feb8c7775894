import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../support/databases/databases.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { encodeForm } from "../support/sign-in/test-browser.ts";
import { claimsOf, isQuestion, openRequest, redeemCode, startImpersonating } from "./support.ts";

eachEngine((_open, engine) => {
  test("what an impersonator chooses last is the answer, and a test of the application is their own", async (t) => {
    const { server, adminOf } = await startImpersonating(t, engine);
    const { client, user: ada, organizationId } = server;
    await appoint(server, ada, { instance: true }, ["IAM_OWNER_VIEWER", "IAM_END_USER_IMPERSONATOR"]);
    await appoint(server, ada, { organizationId }, ["ORG_OWNER"]);
    const bob = await addPerson(server, { username: "bob" });
    const admin = await adminOf();
    await admin.begin(bob.userId);
    const asked = await openRequest(client, admin.browser);
    const form = asked.page.forms.find(({ values }) => values.some(([, value]) => value === "allow"));
    assert.ok(form);
    // Chosen, and then not followed.
    const chosen = await admin.browser.send(form.action, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: server.origin,
        "sec-fetch-site": "same-origin",
      },
      body: encodeForm(form, {}),
    });
    assert.match(chosen.headers.get("location") ?? "", /^\/oauth\/v2\/authorize\/callback/);
    const id = new URL(asked.page.address, server.origin).searchParams.get("authRequest") ?? "";
    const own = await admin.browser.submit(await admin.browser.open(`/ui/login/continue?authRequest=${id}`));
    const code = new URL(own.address).searchParams.get("code") ?? "";
    const { body } = await redeemCode(server, client, code, asked.codeVerifier);
    assert.equal(claimsOf(body.id_token)["sub"], ada.userId);

    const { applicationId } = client;
    const prepared = await admin.call("/service.test_sign_in.v2.TestSignInService/CreateTestSignIn", {
      applicationId,
      scopes: ["openid"],
      requiresSignIn: true,
    });
    assert.equal(prepared.status, 200, JSON.stringify(prepared.body));
    const waiting = await admin.browser.open(prepared.body.path);
    const test =
      new URL(waiting.address, server.origin).searchParams.get("authRequest") ?? assert.fail(waiting.address);
    assert.ok(!isQuestion(await admin.browser.open(`/ui/login/impersonation?authRequest=${test}`)));
    const other = await openRequest(client, admin.browser);
    assert.ok(isQuestion(other.page), "of the application itself");
  });
});
