import assert from "node:assert/strict";
import { test } from "node:test";
import { accountIn } from "../identity-provider/saml/logouts.ts";
import { knowSaml } from "../identity-provider/saml/support.ts";
import { openOptions } from "../identity-provider/trusted.ts";
import { partnerKey, register } from "../saml/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { programFiles } from "../support/servers/foreign-program.ts";
import { startServer } from "../support/servers/server.ts";
import { changeAssertion, changePosted, formIn, signOutHere } from "./support/messages.ts";
import { reasonWithoutSimpleSamlPhp, startSimpleSamlPhp } from "./support/simplesamlphp.ts";
import { createWalk, newOrigin, signInOn } from "./support/walk.ts";

test("SimpleSAMLphp", { skip: reasonWithoutSimpleSamlPhp() }, async (t) => {
  const server = await startServer(t, { now: Date.now() });
  const { port, origin } = await newOrigin();
  const files = programFiles("simplesamlphp");
  const textAt = async (address: string): Promise<string> => (await fetch(address)).text();
  const idp = `${server.origin}/saml/v2/metadata`;
  files.write("idp.xml", await textAt(idp));
  // Ours as a service provider is known once we know its identity provider.
  files.write("sp.xml", await textAt(idp));
  const metadata = ["idp.xml", "sp.xml"];
  await startSimpleSamlPhp(t, { files, port, origin, key: await partnerKey(), idp, metadata });

  await t.test("as a service provider", async (t) => {
    const entityId = `${origin}/module.php/saml/sp/metadata.php/default-sp`;
    const home = `${origin}/module.php/core/authenticate.php?as=default-sp`;
    const ada = await addPerson(server, { username: "ada" });
    const document = await textAt(entityId);
    await register(server, { entityId, document }, { options: { encryptAssertions: true } });
    const signIn = async () => {
      const walk = createWalk(server, origin);
      const page = await signInOn(walk, await walk.open(home), ada);
      assert.match(page.title, /Demo/, page.html);
      return { walk, page };
    };

    await t.test("signs a user in: a signed request, an encrypted assertion", async () => {
      const { page } = await signIn();
      assert.ok(page.html.includes(ada.userId));
      assert.match(page.html, /nameid-format:persistent/);
    });

    await t.test("signs the user out here, and reads our signed answer", async () => {
      const { walk } = await signIn();
      const end = await walk.open(`${home}&logout`);
      assert.match(end.html, /You have been logged out/, walk.visited.join("\n"));
      assert.match((await walk.open(home)).address, /^\/ui\/login/);
    });

    await t.test("is told when the user signs out here, and sends the browser back", async () => {
      const { walk } = await signIn();
      const end = await walk.follow(await signOutHere(walk.ours), walk.ours);
      assert.equal(end.address, "/ui/logout/done", walk.visited.join("\n"));
      assert.ok(walk.visited.some((address) => address.startsWith(`${origin}/module.php/saml/sp/saml2-logout.php`)));
      assert.match((await walk.open(home)).address, /^\/ui\/login/);
    });

    await t.test("refuses an assertion that was changed on its way", async () => {
      const walk = createWalk(server, origin);
      const login = await walk.open(home);
      walk.stopsAtForms = true;
      const { action, fields } = formIn((await signInOn(walk, login, ada)).html);
      // A response whose signature is wrong counts for nothing there; what counts is the assertion, which is encrypted.
      const SAMLResponse = changeAssertion(fields["SAMLResponse"]);
      const refused = await walk.post(walk.theirs, action, { ...fields, SAMLResponse });
      assert.match(refused.html, /Failed to decrypt XML element/);
      const accepted = await walk.post(walk.theirs, action, fields);
      assert.match(accepted.title, /Demo/);
    });
  });

  await t.test("as an identity provider", async (t) => {
    const document = await textAt(`${origin}/saml2/idp/metadata.php`);
    const providerOptions = { ...openOptions, isAutoCreation: true };
    const idpId = await knowSaml(server, { metadata: document }, { federatedLogoutEnabled: true, providerOptions });
    files.write("sp.xml", await textAt(`${server.origin}/idps/${idpId}/saml/metadata`));
    await changeSettings(server, "login", { identityProviderIds: [idpId] });
    /** Begins a sign-in with it, up to its page. */
    const begin = async () => {
      const walk = createWalk(server, origin);
      const page = await walk.ours.open("/ui/login?account=other");
      const away = await walk.ours.submit(page, { provider: idpId }, { action: "/ui/login/provider" });
      return { walk, page: await walk.follow(away, walk.ours) };
    };
    const signIn = async () => {
      const { walk, page } = await begin();
      const home = await walk.enterThere(page, { username: "bob", password: "bob" });
      assert.equal(home.address, "/ui/login/signed-in", `${walk.visited.join("\n")} ${home.html}`);
      return walk;
    };

    await t.test("signs a user in: a signed request, an encrypted assertion", async () => {
      const { ours } = await signIn();
      assert.match(await accountIn(ours), /bob@mail\.example/);
    });

    await t.test("an assertion that was changed on its way is refused", async () => {
      const { walk, page } = await begin();
      walk.stopsAtForms = true;
      const { action, fields } = formIn((await walk.enterThere(page, { username: "bob", password: "bob" })).html);
      const message = Buffer.from(fields["SAMLResponse"] ?? "", "base64").toString("utf8");
      assert.match(message, /<saml:EncryptedAssertion/);
      const SAMLResponse = changePosted(fields["SAMLResponse"] ?? "", /[^A](?=.{20,30}<\/xenc:CipherValue>)/, "A");
      const refused = await walk.post(walk.ours, action, { ...fields, SAMLResponse });
      assert.match(refused.alert ?? "", /token of the identity provider cannot be accepted/);
    });

    await t.test("is told when the user signs out here, and sends the browser back", async () => {
      const walk = await signIn();
      const end = await walk.follow(await signOutHere(walk.ours), walk.ours);
      assert.equal(end.address, "/ui/logout/done", walk.visited.join("\n"));
      assert.ok(walk.visited.some((address) => address.startsWith(`${origin}/saml2/idp/SingleLogoutService.php`)));
      const { page } = await begin();
      assert.match(page.html, /name="password"/);
    });

    await t.test("signs the user out here, and reads our signed answer", async () => {
      const walk = await signIn();
      const end = await walk.open(
        `${origin}/saml2/idp/initSLO.php?RelayState=${encodeURIComponent(`${origin}/resources/script.js`)}`,
      );
      assert.equal(end.address, "/resources/script.js", walk.visited.join("\n"));
      assert.ok(walk.visited.some((address) => address.includes(`/idps/${idpId}/saml/slo?SAMLRequest=`)));
      assert.equal(await accountIn(walk.ours), "");
    });
  });
});
