import assert from "node:assert/strict";
import { fetch } from "../support/http/fetch.ts";
import { addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient, redirectUri } from "../support/sign-in/sign-in-client.ts";
import type { ShownPage } from "../support/sign-in/test-browser.ts";
import { isBack, signedIn, visit } from "./support/sign-in.ts";

const isAsked = ({ address, title }: ShownPage): boolean =>
  address.startsWith("/ui/login/consent?") && title.startsWith("Allow access?");

serversInTurn((start, test) => {
  test("an administrator who leads a client's answers to another origin has its users asked again (A18)", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server, { isConsentRequired: true });
    const browser = await signedIn(server, ada);
    const open = async (): Promise<ShownPage> => (await visit(server, client, {}, browser)).page;
    const decide = (page: ShownPage) => browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" });
    const allow = async () => assert.ok(isBack(await decide(await open())));
    const update = async (redirectUris: readonly string[], more: object = {}) => {
      const { applicationId, projectId } = client;
      const method = "service.application.v2.ApplicationService/UpdateApplication";
      const oidcConfiguration = { redirectUris, ...more };
      const changed = await server.connect(method, { applicationId, projectId, oidcConfiguration });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
    };
    await allow();
    const other = "https://other.example/callback";
    for (const elsewhere of [other, "https://shop.example:8443/callback", "com.example.shop:/callback"]) {
      await update([redirectUri, elsewhere]);
      assert.ok(isAsked(await open()), elsewhere);
      await allow();
      await update([redirectUri]);
      assert.ok(isBack(await open()), "fewer");
    }
    await update([redirectUri, "https://shop.example/second"], { accessTokenRoleAssertion: true });
    assert.ok(isBack(await open()), "the same origin");

    const { path, codeVerifier } = client.start({ scope: "openid offline_access" });
    const page = await browser.open(path);
    const { body } = await client.exchange((await decide(page)).address, codeVerifier);
    assert.ok(body.refresh_token, JSON.stringify(body));
    const refresh = async (refresh_token: string) => {
      const form = { grant_type: "refresh_token", refresh_token, client_id: client.clientId };
      const answer = await fetch(`${server.origin}/oauth/v2/token`, {
        method: "POST",
        body: new URLSearchParams(form),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, string> };
    };
    const next = await refresh(body.refresh_token);
    assert.equal(next.status, 200, JSON.stringify(next.body));
    await update([redirectUri, other]);
    assert.equal(
      (await refresh(next.body["refresh_token"] ?? "")).body["error"],
      "invalid_grant",
      "what it got by the consent",
    );
  });
});
