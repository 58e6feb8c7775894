import assert from "node:assert/strict";
import { test } from "node:test";
import { enter } from "../login/support/sign-in.ts";
import { oidcAt, putProvider } from "../support/identity-provider/identity-providers.ts";
import { addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { startServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

test("one server signs in users who have their accounts on another", async (t) => {
  const home = await startServer(t);
  const server = await startServer(t);
  const { clientId } = await addClient(home, {
    redirectUris: [`${server.origin}/idps/callback`],
    applicationType: "native",
    authMethod: "none",
  });
  const ada = await addPerson(home, { username: "ada" });
  const configuration = { ...oidcAt(home.origin), clientId } as Parameters<typeof putProvider>[1]["configuration"];
  const id = await putProvider(server, { configuration, options: { isAutoCreation: true } });
  await changeSettings(server, "login", { identityProviderIds: [id] });

  const browser = new TestBrowser(server);
  const away = await browser.submit(
    await browser.open("/ui/login"),
    { provider: id },
    { action: "/ui/login/provider" },
  );
  const there = new TestBrowser(home);
  const { pathname, search } = new URL(away.address);
  const back = await enter({ browser: there, page: await there.open(pathname + search) }, ada);
  assert.ok(back.address.startsWith(`${server.origin}/idps/callback?`), back.html);
  // Doorward names its issuer in every answer (RFC 9207).
  assert.equal(new URL(back.address).searchParams.get("iss"), home.origin);
  const arrived = await browser.open(back.address.slice(server.origin.length));
  assert.equal(arrived.address, "/ui/login/signed-in", arrived.html);
  const { body } = await server.rest("POST", "/v2/users", {
    body: { queries: [{ emailQuery: { emailAddress: "ada@mail.example" } }] },
  });
  assert.equal(body.result[0].human.profile.givenName, "ada");
  assert.equal(body.result[0].human.email.isVerified, true);
});
