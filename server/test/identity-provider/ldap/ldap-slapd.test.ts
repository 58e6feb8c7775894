import assert from "node:assert/strict";
import { test } from "node:test";
import { testCertificate } from "../../support/http/test-certificate.ts";
import { reasonWithoutSlapd, startSlapd } from "../../support/identity-provider/slapd.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import { addDirectory, enterAt, openForm, openOptions, prove, proven, retrieve, slug } from "./directories.ts";

const person = (uid: string, more = "") => `dn: uid=${uid},ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid} person
sn: Person
givenName: ${uid}
userPassword: password of ${uid}
${more}
`;

// LDIF has other characters than ASCII in base64 (RFC 2849).
const inBase64 = (name: string, value: string): string => `${name}:: ${Buffer.from(value).toString("base64")}`;

const entries = `dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

dn: ou=devices,dc=example,dc=org
objectClass: organizationalUnit
ou: devices

dn: cn=printer,ou=devices,dc=example,dc=org
objectClass: device
objectClass: uidObject
objectClass: simpleSecurityObject
cn: printer
uid: printer
userPassword: password of printer

${person("ada", "mail: ada@mail.example\nbusinessCategory: TRUE\ntelephoneNumber: +41 1 234\npreferredLanguage: de\nlabeledURI: https://pictures.example/ada\ndescription: first\ndescription: second")}
${person("bob", "mail: shared@mail.example")}
${person("carol", "mail: shared@mail.example")}
${person("star*", "mail: star@mail.example")}
${person("odd(name)")}
${inBase64("dn", 'cn=Zoë \\, \\"Quotes\\" \\+ Plus,ou=people,dc=example,dc=org')}
objectClass: inetOrgPerson
uid: zoe
${inBase64("cn", 'Zoë , "Quotes" + Plus')}
sn: Person
manager: uid=ada,ou=people,dc=example,dc=org
${inBase64("userPassword", "pässwörd ✓")}

dn: ou=elsewhere,dc=example,dc=org
objectClass: referral
objectClass: extensibleObject
ou: elsewhere
ref: ldap://evil.invalid/ou=people,dc=evil
`;

const skip = reasonWithoutSlapd();

eachServer((start) => {
  test("a directory of OpenLDAP's server", { skip }, async (t) => {
    const slapd = await startSlapd(t, entries);
    const server = await start(t, { config: { outboundAllow: ["127.0.0.0/8", "localhost"] } });
    const rootCa = Buffer.from(testCertificate.cert).toString("base64");
    const idpId = await addDirectory(server, slapd, { rootCa });

    await t.test("says who a user is, by a bind with the user's own password", async () => {
      const read = await retrieve(server, await proven(server, idpId, "ada", "password of ada"));
      assert.equal(read.idpInformation.userId, "ada");
      assert.equal(read.idpInformation.userName, "ada");
      const said = {
        uid: ["ada"],
        mail: ["ada@mail.example"],
        givenName: ["ada"],
        sn: ["Person"],
        cn: ["ada person"],
        businessCategory: ["TRUE"],
        telephoneNumber: ["+41 1 234"],
        preferredLanguage: ["de"],
        labeledURI: ["https://pictures.example/ada"],
        description: ["first", "second"],
      };
      assert.deepEqual(read.idpInformation.ldap.attributes, said);
      assert.deepEqual(read.idpInformation.rawInformation, said);
      assert.deepEqual(read.addHumanUser.email, { email: "ada@mail.example", isVerified: true });
      assert.equal(read.addHumanUser.phone.phone, "+41 1 234");
      assert.equal(read.addHumanUser.profile.preferredLanguage, "de");
      assert.doesNotMatch(JSON.stringify(read), /password of|userPassword/i);
    });

    await t.test("finds names with any characters, and binds with names that need escapes (RFC 4514)", async () => {
      for (const [name, password, id] of [
        ["ADA", "password of ada", "ada"],
        ["ada@mail.example", "password of ada", "ada"],
        ["star*", "password of star*", "star*"],
        ["odd(name)", "password of odd(name)", "odd(name)"],
        ["zoe", "pässwörd ✓", "zoe"],
      ] as const) {
        // The contract takes references of URIs as names here, as the published one does.
        const form = await openForm(server, idpId);
        const page = await enterAt(form, name, password);
        assert.match(page.address, /^\/ui\/login\/external\?/, `${name}: ${page.html}`);
        assert.match(page.html, new RegExp(id.replace(/[*()]/g, "\\$&")));
      }
    });

    await t.test("finds no user by a name that is a pattern or a condition (RFC 4515)", async () => {
      const names = [
        "*",
        "a*",
        "ad\\61",
        "*)(uid=*",
        "ada)(|(uid=*",
        "ada)(objectClass=*",
        "ada\u0000",
        ")(",
        "\\2a",
        "ada)",
      ];
      for (const name of names) {
        for (const password of ["password of ada", "password of star*"]) {
          const page = await enterAt(await openForm(server, idpId), name, password);
          assert.match(page.alert ?? "", /username or password is wrong/, `${JSON.stringify(name)}: ${page.html}`);
        }
      }
    });

    await t.test("refuses the same way for a wrong password and an unknown user", async () => {
      const answers = [
        await prove(server, idpId, "ada", "password of bob"),
        await prove(server, idpId, "nobody", "password of ada"),
        // An entry of another class is no user, although it has a password.
        await prove(server, idpId, "printer", "password of printer"),
      ];
      for (const answer of answers) {
        assert.equal(slug(answer), "400 sign_in.wrong_credentials");
        assert.deepEqual(answer.body, answers[0]?.body);
      }
      // The server accepts an anonymous bind with a name; others read a password only as far as a NUL.
      assert.equal((await prove(server, idpId, "ada", "")).status, 400);
      for (const password of ["\u0000", "password of ada\u0000"]) {
        const refused = await enterAt(await openForm(server, idpId), "ada", password);
        assert.match(refused.alert ?? "", /username or password is wrong/);
      }
      const empty = await enterAt(await openForm(server, idpId), "ada", "");
      assert.match(empty.alert ?? "", /Enter your password/);
    });

    await t.test("refuses a name that several entries have", async () => {
      const refused = await prove(server, idpId, "shared@mail.example", "password of bob");
      assert.equal(slug(refused), "400 identity_intent.several_entries");
      const page = await enterAt(await openForm(server, idpId), "shared@mail.example", "password of bob");
      assert.match(page.alert ?? "", /Several entries/);
    });

    await t.test("registers a user, and recognizes them from then on", async () => {
      await changeSettings(server, "login", { ignoreUnknownUsernames: false });
      const first = await openForm(server, idpId);
      const asked = await enterAt(first, "ada", "password of ada");
      const made = await first.browser.submit(asked, {}, { action: "/ui/login/external?" });
      assert.equal(made.address, "/ui/login/signed-in", made.html);
      const again = await enterAt(await openForm(server, idpId), "ada@mail.example", "password of ada");
      assert.equal(again.address, "/ui/login/signed-in", again.html);
    });

    await t.test("is reached by StartTLS and LDAPS with its own CA, and not without it", async () => {
      for (const [servers, startTls] of [
        [[slapd.url], true],
        [[slapd.secureUrl], false],
        [[slapd.secureUrl], true],
      ] as const) {
        const secure = await addDirectory(server, slapd, { servers, startTls, rootCa });
        await proven(server, secure, "ada", "password of ada");
        const foreign = await addDirectory(server, slapd, { servers, startTls });
        assert.equal(slug(await prove(server, foreign, "ada", "password of ada")), "400 identity_intent.unreachable");
      }
    });

    await t.test("refuses a service account with a wrong password, or a base that does not exist", async () => {
      for (const change of [
        { bindPassword: "wrong" },
        { baseDn: "ou=none,dc=example,dc=org" },
        { baseDn: "not a name" },
      ]) {
        const wrong = await addDirectory(server, slapd, change);
        assert.equal(
          slug(await prove(server, wrong, "ada", "password of ada")),
          "400 identity_intent.directory_refused",
        );
      }
    });

    await t.test("finds entries of all classes", async () => {
      const both = await addDirectory(server, slapd, { userObjectClasses: ["person", "inetOrgPerson"] });
      await proven(server, both, "ada", "password of ada");
      const none = await addDirectory(server, slapd, { userObjectClasses: ["person", "device"] });
      assert.equal(slug(await prove(server, none, "ada", "password of ada")), "400 sign_in.wrong_credentials");
    });

    await t.test("follows no referral", async () => {
      const away = await addDirectory(server, slapd, { baseDn: "ou=elsewhere,dc=example,dc=org" });
      assert.equal(slug(await prove(server, away, "ada", "password of ada")), "400 identity_intent.directory_refused");
    });

    await t.test("binds with the name in an attribute, where that is configured", async () => {
      // The name in this attribute is another entry's: its password signs in, as it would wherever that is configured.
      const byManager = await addDirectory(server, slapd, { userBase: "manager" });
      await proven(server, byManager, "zoe", "password of ada");
      assert.equal(slug(await prove(server, byManager, "zoe", "wrong")), "400 sign_in.wrong_credentials");
      // Without the attribute nothing is bound, which would be anonymous.
      assert.equal(slug(await prove(server, byManager, "ada", "password of ada")), "400 sign_in.wrong_credentials");
    });

    await t.test("identifies no user without exactly one id", async () => {
      for (const idAttribute of ["description", "employeeNumber"]) {
        const odd = await addDirectory(server, slapd, { attributes: { idAttribute }, providerOptions: openOptions });
        assert.equal(slug(await prove(server, odd, "ada", "password of ada")), "400 identity_intent.subject_missing");
      }
      const byId = await addDirectory(server, slapd, { attributes: { idAttribute: "entryUUID" } });
      const read = await retrieve(server, await proven(server, byId, "ada", "password of ada"));
      assert.match(read.idpInformation.userId, /^[0-9a-f-]{36}$/);
    });
  });
});
