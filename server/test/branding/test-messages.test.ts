import assert from "node:assert/strict";
import { test } from "node:test";
import { useMailServer } from "../email/support.ts";
import { inboxOf } from "../factor/support.ts";
import { startMailServer } from "../support/http/mail-server.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const users = "service.user.v2.UserService";
const message = { kind: "MESSAGE_KIND_INIT", parts: { subject: "Your account", text: "Call +1 900 555 0100 now." } };

eachServer((start) => {
  test("a test of a message goes to an address that its caller confirmed with a code", async (t) => {
    const server = await start(t, { now: Date.now() });
    const mail = await startMailServer(t);
    await useMailServer(server, mail);
    const organizationId = await addOrganization(server, "Acme");
    const otto = await addPerson(server, { username: "otto", organizationId });
    await appoint(server, otto, { organizationId }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, otto);
    const { userId } = otto;
    const send = async () => {
      const body = { organizationId, language: "en", message };
      const sent = await server.connect("service.appearance.v2.AppearanceService/SendTestMessage", body, { token });
      return [sent.status, sent.body.recipient ?? sent.body.details?.[0]?.debug?.id];
    };
    const email = "victim@bank.example";
    const own = await server.connect(`${users}/SetEmail`, { userId, email, isVerified: true });
    assert.equal(own.status, 200);
    assert.deepEqual(await send(), [400, "user.email_unverified"], "by the word of an administrator");
    assert.equal(mail.received.filter(({ raw }) => raw.includes("900 555")).length, 0);

    await server.connect(`${users}/SetEmail`, { userId, email: "otto@acme.example", sendCode: {} });
    const [{ text = "" } = {}] = await inboxOf(server, "otto@acme.example");
    const verificationCode = /code=(\w+)/.exec(text)?.[1] ?? assert.fail(text);
    assert.equal((await server.connect(`${users}/VerifyEmail`, { userId, verificationCode })).status, 200);
    assert.deepEqual(await send(), [200, "otto@acme.example"]);
  });
});
