import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/database/index.ts";
import { feedStart, listFeed } from "../../../src/event/feed.store.ts";
import { addManyNames, countLoginNames, countToldUsers } from "../../support/databases/many-names.ts";
import { testCall } from "../../support/operations/call.ts";
import { addOrganization, addPerson, sessionOf } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachServer, type Start } from "../../support/servers/each-server.ts";

const domain = "mole.example";
// Many batches.
const many = 1500;

/** A server without proofs of domains, where users of one organization have names in a domain that is not its own. */
async function setUp(server: Awaited<ReturnType<Start>>, count: number) {
  const { database, clock } = server.app.domain;
  await changeSettings(server, "domain", { requireOrganizationDomainProof: false, loginNameIncludesDomain: false });
  const [evil, front] = [await addOrganization(server, "evil"), await addOrganization(server, "front")];
  const created = await server.connect("service.user.v2.UserService/CreateUser", {
    organizationId: evil,
    username: `model@${domain}`,
    human: { profile: { givenName: "U", familyName: "U" }, email: { email: `model@${domain}`, isVerified: true } },
  });
  const userId: string = created.body.id;
  const instance = await server.app.domain.findInstanceByHost("localhost");
  const call = testCall({ instanceId: instance?.instanceId ?? "", now: clock() });
  await addManyNames(database, call, { userId, count: count - 1, domain });
  const ask = async (method: string) => {
    const body = { organizationId: front, domain };
    const answer = await server.connect(`service.org.v2.OrganizationService/${method}OrganizationDomain`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  return { database, call, evil, userId, own: () => ask("Add"), lose: () => ask("Delete") };
}

eachServer((start) => {
  test("other units of work, and the event feed, go on while a domain with many names gets an owner", async (t) => {
    const server = await start(t);
    const { database, own } = await setUp(server, many);
    const vera = await addPerson(server, { username: "vera" });
    let isOver = false;
    const owned = own().finally(() => {
      isOver = true;
    });
    while ((await countToldUsers(database)).users === 0) await new Promise((resolve) => setImmediate(resolve));
    const { sessionId } = await sessionOf(server, vera);
    const isInFeed = async () =>
      (await listFeed(database.read, feedStart, 100_000)).some(({ aggregateId }) => aggregateId === sessionId);
    while (!isOver && !(await isInFeed())) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isOver, false, "the sign-in reached the feed before the claim ended");
    assert.ok((await countLoginNames(database, domain)) > 0);
    await owned;
    assert.equal(await countLoginNames(database, domain), 0);
    assert.deepEqual(await countToldUsers(database), { users: many, messages: many });
  });

  test("what is repeated tells again only users whose login name changed since", async (t) => {
    const server = await start(t);
    const { database, call, userId, own, lose } = await setUp(server, 250);
    await own();
    assert.deepEqual(await countToldUsers(database), { users: 250, messages: 250 });
    await lose();
    await own();
    assert.deepEqual(await countToldUsers(database), { users: 250, messages: 250 });
    await lose();
    // What a change of the settings about names does.
    await database.touch(call, (tx) =>
      tx.run(sql`update users set preferred_login_name = username, login_name_key = username_key
        where user_id = ${userId}`),
    );
    await own();
    assert.equal(await countLoginNames(database, domain), 0);
    assert.deepEqual(await countToldUsers(database), { users: 250, messages: 251 });
  });

  test("few names are taken in the unit of work that gives the domain its owner", async (t) => {
    const server = await start(t);
    const { database, own } = await setUp(server, 100);
    await own();
    assert.equal(await countLoginNames(database, domain), 0);
    assert.deepEqual(await countToldUsers(database), { users: 100, messages: 100 });
    if (database.engine === "sqlite") return;
    const units = await database.read.all(sql`select distinct xmin::text from notifications
      where kind = 'domain_claimed' and xmin in (select xmin from events where type = 'organization.domain.added')`);
    assert.equal(units.length, 1);
  });
});
