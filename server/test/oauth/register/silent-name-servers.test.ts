import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf, answerJson } from "../../action/support/actions.ts";
import { fetch } from "../../support/http/fetch.ts";
import { startNameServer } from "../../support/http/name-server.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";
import { minimal, registrationPath, setRegistration } from "../../support/oidc/registration.ts";

const flood = 60;

test("registrations that name silent name servers delay no other caller (A17)", async (t) => {
  const names = await startNameServer(t, (name) => (name.startsWith("silent") ? "silence" : "127.0.0.1"));
  const server = await startOidcServer(t, {
    config: {
      dnsServers: [names.address],
      outboundAllow: ["127.0.0.0/8", "*.good.example"],
      trustedProxies: ["127.0.0.0/8"],
    },
  });
  await setRegistration(server, "open");
  const receiver = await startReceiver(t);
  answerJson(receiver, () => ({}));
  const actions = actionsOf(server);
  let count = 0;
  // Each call looks up a name that was not looked up yet.
  const hear = async (): Promise<void> => {
    const target = await actions.createTarget(`http://hooks${count++}.good.example:${receiver.port}/hook`);
    await actions.set({ request: { method: "/service.user.v2.UserService/ListUsers" } }, [target]);
    const answer = await server.connect("service.user.v2.UserService/ListUsers", {});
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  await hear();

  const sent = performance.now();
  const refusedAfter: number[] = [];
  const refusals = Array.from({ length: flood }, (_, index) =>
    fetch(server.origin + registrationPath, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": `203.0.113.${index % 5}` },
      body: JSON.stringify({ ...minimal, sector_identifier_uri: `https://silent${index}.example/list.json` }),
    }).then(async (response) => {
      refusedAfter.push(performance.now() - sent);
      return [response.status, ((await response.json()) as { error: string }).error];
    }),
  );
  while (names.asked.filter((name) => name.startsWith("silent")).length < 10) await new Promise(setImmediate);
  await hear();
  assert.equal(refusedAfter.length, 0, "the webhook was called while all registrations waited for their name servers");
  assert.equal(receiver.received.length, 2);
  for (const refusal of await Promise.all(refusals)) assert.deepEqual(refusal, [400, "invalid_client_metadata"]);
  const [first = 0, last = 0] = [Math.min(...refusedAfter), Math.max(...refusedAfter)];
  assert.ok(last < 2 * first, `each ends at its own deadline, and none waits for another: ${first} to ${last} ms`);
});
