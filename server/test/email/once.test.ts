import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { freeze, frozenMessage, makeFreezable, thaw } from "../access/support/frozen.ts";
import { eachEngine, makeLocation } from "../support/databases/databases.ts";
import { startMailServer } from "../support/http/mail-server.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { startServer } from "../support/servers/server.ts";
import {
  activate,
  addProvider,
  codeIn,
  createPerson,
  eventually,
  lastErrors,
  outcomes,
  pass,
  useMailServer,
} from "./support.ts";

eachEngine((_open, engine) => {
  test("a message that a provider may have received is never sent again; one that it cannot have received is", async (t) => {
    const location = await makeLocation(t, engine);
    await makeFreezable(location);
    const server = await startServer(t, { location });
    const { database } = server.app.domain;
    const mail = await startMailServer(t);
    const smtp = await useMailServer(server, mail);
    const receiver = await startReceiver(t);
    const http = await addProvider(server, "/email/http", { endpoint: `${receiver.origin}/mail` });
    /**
     * What the process that died had no time for: from now on nothing is written down, until the next process thaws it.
     */
    const die = () => freeze(database);
    const rise = async (): Promise<void> => {
      await eventually(() => server.errorLog.some((line) => line.includes(frozenMessage)), "it died in the middle");
      mail.hold = async () => {};
      mail.holdEnvelope = async () => {};
      await thaw(location);
      server.errorLog.length = 0;
      await pass(server, minutes(1));
      await pass(server, minutes(2));
    };
    const last = async (count: number): Promise<string | undefined> => {
      await eventually(async () => (await outcomes(server)).length === count, `${count} have come to their end`);
      await pass(server, minutes(2));
      const all = await outcomes(server);
      assert.equal(all.length, count);
      return all.at(-1);
    };

    await t.test("the process dies when the mail is there and its delivery is not yet recorded", async () => {
      mail.hold = die;
      await createPerson(server, "ada");
      await eventually(() => mail.received.length === 1, "it arrives");
      await rise();
      assert.equal(await last(1), "failed email_verification 1 outcome_unknown");
      assert.equal(mail.received.length, 1);
    });

    await t.test("the process dies before the first byte of the mail", async () => {
      mail.holdEnvelope = die;
      await createPerson(server, "bob");
      await rise();
      assert.equal(await last(2), "sent email_verification 2");
      assert.equal(mail.received.length, 2);
    });

    await t.test("the connection breaks when the mail is there", async () => {
      const before = mail.connections;
      mail.hold = () => mail.hangUp();
      await createPerson(server, "carl");
      assert.match((await last(3)) ?? "", /^failed email_verification 1 smtp\.protocol_error$/);
      mail.hold = async () => {};
      assert.equal(mail.connections, before + 1);
    });

    await t.test("an endpoint hangs up when it has the message; an unreachable one gets it later", async () => {
      await activate(server, `/email/${http}`);
      receiver.answer = (_request, response) => void response.destroy();
      await createPerson(server, "dora");
      assert.equal(await last(4), "failed email_verification 1 http.connection_failed");
      assert.equal(receiver.received.length, 1);

      receiver.answer = (_request, response) => void response.writeHead(503).end();
      await createPerson(server, "emil");
      await eventually(() => receiver.received.length === 2, "it is refused for now");
      receiver.answer = (_request, response) => void response.end();
      await eventually(async () => {
        await pass(server, minutes(1));
        return receiver.received.length === 3;
      }, "it is tried again");
      assert.equal(await last(5), "sent email_verification 2");
      const { code } = JSON.parse(receiver.received[2]?.body ?? "{}").args;
      assert.equal(JSON.parse(receiver.received[1]?.body ?? "{}").args.code, code);

      const closed = await addProvider(server, "/email/http", { endpoint: "http://localhost:1/" });
      await activate(server, `/email/${closed}`);
      await createPerson(server, "fay");
      await eventually(async () => (await lastErrors(server)).includes("http.unreachable"), "nobody is there");
      await activate(server, `/email/${smtp}`);
      await eventually(async () => {
        await pass(server, minutes(1));
        return (await outcomes(server)).length === 6;
      }, "it goes another way");
      assert.equal(await last(6), "sent email_verification 2");
      assert.match(codeIn(mail.received.at(-1)?.raw ?? ""), /^\w{6}$/);
    });
  });
});
