import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";
import { actionsOf } from "./support/actions.ts";

const value = Buffer.alloc(499_000, "x").toString("base64");
// An organization may have 8 MiB of calls that wait.
const most = Math.floor((8 * 1024 * 1024) / (value.length + 1024));

test("calls that wait for a target are counted for their organization until they end", async (t) => {
  const server = await startServer(t);
  const receiver = await startReceiver(t);
  const actions = actionsOf(server);
  const waiting = new Set<ServerResponse>();
  receiver.answer = (_, response) => {
    waiting.add(response);
    response.once("close", () => waiting.delete(response));
  };
  const target = await actions.createTarget(receiver.origin, { kind: "restWebhook", timeout: "60s" });
  await actions.set({ request: { method: "/service.user.v2.UserService/SetUserMetadata" } }, [target]);
  const user = await addPerson(server, { username: "user", organizationId: await defaultOrganization(server) });
  const elsewhere = await addOrganization(server, "Elsewhere");
  const owner = await addPerson(server, { username: "owner", organizationId: elsewhere });
  await appoint(server, owner, { organizationId: elsewhere }, ["ORG_OWNER"]);
  const { token: tokenElsewhere } = await sessionOf(server, owner);

  const set = (userId: string, token: string, key: string, signal: AbortSignal | null = null) =>
    fetch(`${server.origin}/v2/users/${userId}/metadata`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ metadata: [{ key, value }] }),
      signal,
    });
  const until = async (isSo: () => boolean): Promise<void> => {
    for (let count = 0; count < 100 && !isSo(); count++) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(isSo(), `${waiting.size} wait`);
  };
  const stored = async (): Promise<string[]> => {
    const list = await server.connect("service.user.v2.UserService/ListUserMetadata", { userId: user.userId });
    return (list.body.metadata ?? []).map(({ key }: { key: string }) => key);
  };

  const gone = new AbortController();
  const cut = set(user.userId, server.ownerToken, "cut", gone.signal).catch(() => undefined);
  const held = Array.from({ length: most - 1 }, () => set(user.userId, server.ownerToken, "held"));
  await until(() => waiting.size === most);
  const refused = await set(user.userId, server.ownerToken, "refused");
  assert.equal(refused.status, 429, await refused.text());
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  const other = set(owner.userId, tokenElsewhere, "other");
  await until(() => waiting.size === most + 1);

  gone.abort();
  await cut;
  await until(() => waiting.size === most);
  const next = set(user.userId, server.ownerToken, "held");
  await until(() => waiting.size === most + 1);

  for (const response of waiting) response.end("{}");
  for (const answer of await Promise.all([...held, other, next])) assert.equal(answer.status, 200, await answer.text());
  assert.deepEqual((await stored()).toSorted(), ["held"], "what was cut off never happened");
});
