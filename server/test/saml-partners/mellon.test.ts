import assert from "node:assert/strict";
import { test } from "node:test";
import { partnerKey, register } from "../saml/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { addPerson } from "../support/people/people.ts";
import { programFiles } from "../support/servers/foreign-program.ts";
import { startServer } from "../support/servers/server.ts";
import { reasonWithoutApache, startApache } from "./support/apache.ts";
import { changeAssertion, formIn, signOutHere } from "./support/messages.ts";
import { createWalk, newOrigin, signInOn, untilTold } from "./support/walk.ts";

const skip = reasonWithoutApache("auth_mellon", "libapache2-mod-auth-mellon");

test("Apache with mod_auth_mellon", { skip }, async (t) => {
  const server = await startServer(t, {
    now: Date.now(),
    config: { outboundAllow: ["127.0.0.0/8"] },
  });
  const ada = await addPerson(server, { username: "ada" });
  const { port, origin } = await newOrigin();
  const files = programFiles("mellon");
  const { privateKey, certificate } = await partnerKey();
  const metadata = await (await fetch(`${server.origin}/saml/v2/metadata`)).text();
  const directives = `
<Location />
  MellonEnable info
  MellonEndpointPath /mellon
  MellonSPentityId ${origin}/mellon/metadata
  MellonSPPrivateKeyFile ${files.write("key.pem", privateKey)}
  MellonSPCertFile ${files.write("cert.pem", certificate)}
  MellonIdPMetadataFile ${files.write("idp.xml", metadata)}
  MellonSecureCookie Off
</Location>
<Location /private>
  MellonEnable auth
  Header always set x-name-id "%{MELLON_NAME_ID}e"
  Header always set x-user-id "%{MELLON_UserID}e"
</Location>`;
  await startApache(t, { files, port, module: "auth_mellon", directives });
  const document = await (await fetch(`${origin}/mellon/metadata`)).text();
  await register(server, { entityId: `${origin}/mellon/metadata`, document }, { options: { encryptAssertions: true } });

  const signIn = async () => {
    const walk = createWalk(server, origin);
    const page = await signInOn(walk, await walk.open(`${origin}/private/`), ada);
    assert.equal(page.title, "private", `${walk.visited.join("\n")} ${page.html}`);
    return { walk, page };
  };

  await t.test("signs a user in: a signed request, an encrypted assertion", async () => {
    const { page, walk } = await signIn();
    assert.equal(page.headers.get("x-user-id"), ada.userId);
    assert.match(page.headers.get("x-name-id") ?? "", /^_/);
    assert.equal((await walk.open(`${origin}/private/`)).title, "private");
  });

  await t.test("signs the user out here, and goes on", async () => {
    const { walk } = await signIn();
    const end = await walk.open(`${origin}/mellon/logout?ReturnTo=${origin}/public/`);
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
    walk.stopsAtForms = true;
    const page = await signInOn(walk, await walk.open(`${origin}/private/`), ada);
    const { action, fields } = formIn(page.html);
    const SAMLResponse = changeAssertion(fields["SAMLResponse"]);
    assert.equal((await walk.post(walk.theirs, action, { ...fields, SAMLResponse })).status, 400);
    assert.equal((await walk.post(walk.theirs, action, fields)).title, "private");
  });
});
