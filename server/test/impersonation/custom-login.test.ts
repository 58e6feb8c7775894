import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { isQuestion, openRequest, redeemCode, startImpersonating } from "./support.ts";

const pages = ["", "/accounts", "/password", "/register", "/consent", "/forgotten", "/external", "/second-factor"];

eachEngine((_open, engine) => {
  test("a request of a custom login is answered as the user, or there, and by no page of ours", async (t) => {
    const started = await startImpersonating(t, engine);
    const { server, adminOf } = started;
    await appoint(server, server.user, { instance: true }, ["IAM_OWNER_VIEWER", "IAM_END_USER_IMPERSONATOR"]);
    const bob = await addPerson(server, { username: "bob" });
    const client = await server.createClient({ loginVersion: { loginV2: { baseUri: "https://login.bank.example/" } } });
    server.clock.now += minutes(1);
    const admin = await adminOf();
    await admin.begin(bob.userId, { applicationId: client.applicationId });
    const asked = await openRequest(client, admin.browser);
    assert.ok(isQuestion(asked.page));
    const query = new URL(asked.page.address, server.origin).search;
    for (const path of pages) {
      const page = await admin.browser.open(`/ui/login${path}${query}`);
      assert.ok(isQuestion(page), `${path}: ${page.address}`);
    }
    const allowed = await admin.browser.submit(asked.page, { decision: "allow" });
    const code = new URL(allowed.address).searchParams.get("code") ?? "";
    assert.equal((await redeemCode(server, client, code, asked.codeVerifier)).status, 200);

    const again = await openRequest(client, admin.browser);
    const ended = await admin.browser.submit(again.page, { decision: "end" });
    assert.match(ended.address, /^https:\/\/login\.bank\.example\/login\?authRequest=V2_/);
    const later = new URL(again.page.address, server.origin).search;
    for (const path of pages) {
      const page = await admin.browser.open(`/ui/login${path}${later}`);
      assert.ok(!page.address.includes("code="), page.address);
      assert.match(page.html, /expired|no longer/i, path);
    }
  });
});
