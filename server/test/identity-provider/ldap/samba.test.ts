import assert from "node:assert/strict";
import { test } from "node:test";
import { testCertificate } from "../../support/http/test-certificate.ts";
import { reasonWithoutSamba, startSamba } from "../../support/identity-provider/samba.ts";
import { startServer } from "../../support/servers/server.ts";
import { addDirectory, enterAt, openForm, prove, proven, retrieve, slug } from "./directories.ts";

const password = "Password of a user 1";

test("an Active Directory domain of Samba", { skip: reasonWithoutSamba() }, async (t) => {
  const samba = await startSamba(t, [
    { username: "ada", password, givenname: "Ada", surname: "Lovelace", mailaddress: "ada@mail.example" },
    { username: "new", password, must_change: true },
    { username: "gone", password, is_disabled: true },
  ]);
  const server = await startServer(t, { config: { outboundAllow: ["127.0.0.0/8", "localhost"] } });
  const rootCa = Buffer.from(testCertificate.cert).toString("base64");
  const known = {
    rootCa,
    userObjectClasses: ["user"],
    userFilters: ["sAMAccountName", "userPrincipalName", "mail"],
    attributes: {
      idAttribute: "objectGUID",
      firstNameAttribute: "givenName",
      lastNameAttribute: "sn",
      displayNameAttribute: "displayName",
      preferredUsernameAttribute: "userPrincipalName",
      emailAttribute: "mail",
    },
  };
  const idpId = await addDirectory(server, { ...samba, url: samba.secureUrl }, known);

  await t.test("finds users by any of their names, and knows them by objectGUID", async () => {
    const ids = new Set<string>();
    for (const name of ["ada", "ADA", "ada@example.org", "ada@mail.example"]) {
      const { idpInformation, addHumanUser } = await retrieve(server, await proven(server, idpId, name, password));
      ids.add(idpInformation.userId);
      assert.equal(idpInformation.userName, "ada@example.org");
      assert.equal(addHumanUser.email.email, "ada@mail.example");
      assert.equal(addHumanUser.profile.familyName, "Lovelace");
    }
    const [id = ""] = ids;
    assert.equal(ids.size, 1);
    assert.equal(Buffer.from(id, "base64").length, 16);
  });

  await t.test("says who a new user is on the pages", async () => {
    const page = await enterAt(await openForm(server, idpId), "ada", password);
    assert.match(page.address, /^\/ui\/login\/external/);
    assert.match(page.html, /ada@mail\.example/);
  });

  await t.test(
    "refuses a wrong password, an unknown name, a disabled account and a password that has to change",
    async () => {
      for (const [name, given] of [
        ["ada", "another password"],
        ["unknown", password],
        ["gone", password],
        ["new", password],
      ] as const) {
        assert.equal(slug(await prove(server, idpId, name, given)), "400 sign_in.wrong_credentials", name);
      }
    },
  );

  await t.test("binds with the userPrincipalName where that is configured", async () => {
    const other = await addDirectory(
      server,
      { ...samba, url: samba.secureUrl },
      { ...known, userBase: "userPrincipalName" },
    );
    await proven(server, other, "ada", password);
  });

  await t.test("is reached by StartTLS, and refuses binds without", async () => {
    const secured = await addDirectory(server, samba, { ...known, startTls: true });
    await proven(server, secured, "ada", password);
    const bare = await addDirectory(server, samba, { ...known, rootCa: "" });
    assert.equal(slug(await prove(server, bare, "ada", password)), "400 identity_intent.directory_refused");
  });
});
