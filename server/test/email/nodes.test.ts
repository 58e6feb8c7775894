import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes, seconds } from "../../src/base/clock.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { startMailServer } from "../support/http/mail-server.ts";
import { startServer } from "../support/servers/server.ts";
import { createPerson, eventually, outcomes, useMailServer } from "./support.ts";

onPostgres(() => {
  test("nodes that look at the outbox at once send nothing twice", async (t) => {
    const first = await startServer(t, { engine: "postgres" });
    const { location, ownerToken, origin } = first;
    const second = await startServer(t, { location, ownerToken, config: { baseUrl: origin } });
    const mail = await startMailServer(t);
    const count = 24;
    for (let index = 0; index < count; index++) await createPerson(first, `person-${index}`);
    await useMailServer(first, mail);
    for (const { clock } of [first, second]) clock.now += seconds(10);
    await Promise.all([first, second].map(({ app }) => app.jobs.tick()));
    await eventually(async () => (await outcomes(first)).length === count, "all have come to their end");
    const told = mail.received.map(({ to }) => to[0]);
    assert.equal(told.length, count);
    assert.equal(new Set(told).size, count);
  });

  test("what a dead node claimed and did not hand over is sent by another when its claim is over", async (t) => {
    const first = await startServer(t, { engine: "postgres" });
    const { location, ownerToken, origin } = first;
    const mail = await startMailServer(t);
    await useMailServer(first, mail);
    mail.holdEnvelope = () => new Promise(() => {});
    await createPerson(first, "ada");
    await eventually(() => mail.connections === 1, "the first is on its way");
    await first.app.close();
    mail.holdEnvelope = async () => {};
    const second = await startServer(t, { location, ownerToken, config: { baseUrl: origin } });
    await second.app.jobs.tick();
    assert.equal(mail.received.length, 0, "the claim still holds");
    second.clock.now += minutes(2);
    await second.app.jobs.tick();
    await eventually(() => mail.received.length === 1, "the second sends it");
    assert.deepEqual(await outcomes(second), ["sent email_verification 2"]);
  });
});
