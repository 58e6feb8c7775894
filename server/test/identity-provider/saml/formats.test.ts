import assert from "node:assert/strict";
import { nameIdFormats } from "../../../src/base/saml/index.ts";
import type { SamlAnswer } from "../../support/identity-provider/saml-partner.ts";
import { addPerson } from "../../support/people/people.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { attemptWith, failureOf, knowSaml, partnerOf, reported } from "./support.ts";

const { unspecified, emailAddress, persistent, transient } = nameIdFormats;
const others = ["urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName", "https://idp.example/format"];
const named = {
  SAML_NAME_ID_FORMAT_EMAIL_ADDRESS: emailAddress,
  SAML_NAME_ID_FORMAT_PERSISTENT: persistent,
  SAML_NAME_ID_FORMAT_TRANSIENT: transient,
};
const subject = "ceo@corp.example";
const attributes = { uid: subject };
const transientMappingAttributeName = "uid";

/** Links an account to a user of ours. */
async function link(server: TestServer, idpId: string, userId: string): Promise<string> {
  const victim = await addPerson(server, { username: `ceo-${idpId}-${userId.length}` });
  const linked = await server.rest("POST", `/v2/users/${victim.userId}/links`, {
    body: { idpLink: { idpId, userId, userName: "ceo" } },
  });
  assert.ok([200, 201].includes(linked.status), JSON.stringify(linked.body));
  return victim.userId;
}

serversInTurn((start, test) => {
  for (const [nameIdFormat, format] of Object.entries(named)) {
    test(`a provider identifies users in the format that it is asked for: ${nameIdFormat}`, async (t) => {
      const server = await start(t);
      const partner = await partnerOf(server);
      const idpId = await knowSaml(server, partner, { nameIdFormat, transientMappingAttributeName });
      const userId = await link(server, idpId, subject);
      const answer = (more: SamlAnswer) => attemptWith(server, partner, idpId, { subject, attributes, ...more });
      assert.equal((await reported(server, await answer({ format }))).userId, userId);
      const another = { subject: "other", attributes: { uid: "other" }, format };
      assert.equal((await reported(server, await answer(another))).userId, "");
      for (const given of [unspecified, emailAddress, persistent, transient, ...others]) {
        if (given === format) continue;
        assert.equal(await failureOf(server, await answer({ format: given })), "subject_missing", given);
      }
      const without = await answer({ nameIdValues: { Format: undefined } });
      assert.equal(await failureOf(server, without), "subject_missing");
    });
  }

  test("where any format will do, the same text in two formats is two accounts", async (t) => {
    const server = await start(t);
    const partner = await partnerOf(server);
    const idpId = await knowSaml(server, partner, {
      nameIdFormat: "SAML_NAME_ID_FORMAT_UNSPECIFIED",
      transientMappingAttributeName,
    });
    const userId = await link(server, idpId, subject);
    const byAddress = await link(server, idpId, `{${emailAddress}}${subject}`);
    const answer = (more: SamlAnswer) => attemptWith(server, partner, idpId, { subject, attributes, ...more });
    for (const nameIdValues of [{ Format: unspecified }, { Format: undefined }]) {
      const { userId: found, idpInformation } = await reported(server, await answer({ nameIdValues }));
      assert.deepEqual([found, idpInformation.userId], [userId, subject]);
    }
    const ids = new Set<string>();
    for (const format of [emailAddress, persistent, transient, ...others]) {
      const { userId: found, idpInformation } = await reported(server, await answer({ format }));
      assert.equal(found, format === emailAddress ? byAddress : "", format);
      assert.equal(idpInformation.userId, `{${format}}${subject}`);
      assert.equal(idpInformation.userName, subject);
      ids.add(idpInformation.userId);
    }
    assert.equal(ids.size, 5);
    // No identifier passes for one of another format, though others may begin with a brace.
    const disguised = await answer({ format: unspecified, subject: `{${emailAddress}}${subject}` });
    assert.equal(await failureOf(server, disguised), "subject_missing");
    for (const format of ["a}b:c", "nothing"]) {
      assert.equal(await failureOf(server, await answer({ format })), "subject_missing");
    }
    const braced = "{3f2504e0-4f89-11d3-9a0c-0305e82c3301}";
    const told = await reported(server, await answer({ format: unspecified, subject: braced }));
    assert.equal(told.idpInformation.userId, braced);
  });
});
