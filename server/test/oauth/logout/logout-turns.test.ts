import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { sql } from "../../../src/database/index.ts";
import { claimLogoutNotice } from "../../../src/domain/logout-notice/index.ts";
import { addProject, register } from "../../saml/support.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";
import { addOrganization } from "../../support/people/people.ts";
import { eventually } from "../support/back-channel.ts";
import { endSessionsOf } from "../support/waiting-notices.ts";

const each = 8;

enginesInTurn((engine, _, test) => {
  test("notices of logouts to the silent applications of organizations come behind the first one to another's", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { database, clock, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    const receiver = await startReceiver(t);
    const held: ServerResponse[] = [];
    receiver.answer = ({ path }, response) => {
      if (path === "/bank") response.end();
      else held.push(response);
    };
    const organizationId = await addOrganization(server, "Evil");
    const projectId = await addProject(server, { organizationId });
    const other = await addProject(server, { organizationId: await addOrganization(server, "Accomplice") });
    const silent: string[] = [];
    for (const project of [projectId, other]) {
      for (let index = 0; index < each; index++) {
        const client = await server.createClient({ backChannelLogoutUri: `${receiver.origin}/silent` }, project);
        silent.push(client.clientId);
      }
    }
    const bank = await server.createClient({ backChannelLogoutUri: `${receiver.origin}/bank` });
    const told = (): string[] => receiver.received.map(({ path }) => path);
    await endSessionsOf(server, { clientIds: silent });
    server.clock.now += 1000;
    await endSessionsOf(server, { clientIds: [bank.clientId] });
    server.clock.now += 60_000;
    const run = server.app.jobs.tick();
    await eventually(() => told().includes("/bank"), "the last notice is sent");
    // The third; what is sent together may arrive in another order.
    assert.ok(told().indexOf("/bank") < each, told().join(" "));
    receiver.answer = (_, response) => void response.end();
    for (const response of held) response.end();
    await run;
    await eventually(() => told().length > silent.length, "those of the others are sent");

    // What waits for SAML applications is left for later by their organizations as well.
    const { applicationId } = await register(server, {}, { projectId });
    const partner = await database.read.maybe<{ clientId: string }>(sql`select client_id as "clientId"
      from saml_partners where instance_id = ${instanceId} and application_id = ${applicationId}`);
    await endSessionsOf(server, { clientIds: [partner?.clientId ?? ""], nameId: "name" });
    server.clock.now += 60_000;
    const claim = async (...organizationIds: string[]) => {
      const payers = organizationIds.map((id) => ({ instanceId, organizationId: id, isOfStranger: false }));
      const notice = await claimLogoutNotice({ database, clock }, { instanceIds: [], payers, clientIds: [] });
      return notice && [notice.clientId, notice.organizationId];
    };
    assert.equal(await claim(server.organizationId, organizationId), undefined);
    assert.deepEqual(await claim(server.organizationId), [partner?.clientId, organizationId]);
  });
});
