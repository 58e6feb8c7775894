import assert from "node:assert/strict";
import { test } from "node:test";
import { partnerKey, register } from "../saml/support.ts";
import { addPerson } from "../support/people/people.ts";
import { programFiles } from "../support/servers/foreign-program.ts";
import { startServer } from "../support/servers/server.ts";
import { reasonWithoutApache } from "./support/apache.ts";
import { changeAssertion, formIn, signOutHere } from "./support/messages.ts";
import { startShibboleth } from "./support/shibboleth.ts";
import { createWalk, newOrigin, signInOn, untilTold } from "./support/walk.ts";

const skip = reasonWithoutApache("shib", "libapache2-mod-shib");

test("Shibboleth as a service provider", { skip }, async (t) => {
  const server = await startServer(t, { now: Date.now(), config: { outboundAllow: ["127.0.0.0/8"] } });
  const ada = await addPerson(server, { username: "ada" });
  const { port, origin } = await newOrigin();
  const files = programFiles("shibboleth");
  const idp = `${server.origin}/saml/v2/metadata`;
  const document = await startShibboleth(t, { files, port, origin, key: await partnerKey(), idp });
  await register(server, { entityId: `${origin}/shibboleth`, document }, { options: { encryptAssertions: true } });

  const signIn = async () => {
    const walk = createWalk(server, origin);
    const page = await signInOn(walk, await walk.open(`${origin}/private/`), ada);
    assert.equal(page.title, "private", `${walk.visited.join("\n")} ${page.html}`);
    return { walk, page };
  };

  await t.test("signs a user in: a signed request, an encrypted assertion", async () => {
    const { page, walk } = await signIn();
    assert.equal(page.headers.get("x-user-id"), ada.userId);
    assert.equal(page.headers.get("x-name-id"), ada.loginName);
    assert.equal((await walk.open(`${origin}/private/`)).title, "private");
  });

  await t.test("signs the user out here, and goes on", async () => {
    const { walk } = await signIn();
    const end = await walk.open(`${origin}/Shibboleth.sso/Logout?return=${encodeURIComponent(`${origin}/public/`)}`);
    assert.equal(end.title, "public", walk.visited.join("\n"));
    assert.match((await walk.open(`${origin}/private/`)).address, /^\/ui\/login/);
  });

  await t.test("is told by SOAP when the user signs out here", async () => {
    const { walk } = await signIn();
    assert.equal((await signOutHere(walk.ours)).address, "/ui/logout/done");
    await untilTold(server);
    assert.ok((await walk.theirs.open("/private/")).address.startsWith(server.origin));
  });

  await t.test("refuses an assertion that was changed on its way", async () => {
    const walk = createWalk(server, origin);
    const login = await walk.open(`${origin}/private/`);
    walk.stopsAtForms = true;
    const { action, fields } = formIn((await signInOn(walk, login, ada)).html);
    const SAMLResponse = changeAssertion(fields["SAMLResponse"]);
    const refused = await walk.post(walk.theirs, action, { ...fields, SAMLResponse });
    assert.match(refused.html, /signature/);
  });
});
