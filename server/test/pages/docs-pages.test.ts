import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { startServer } from "../support/servers/server.ts";

test("a documentation page is rendered once per address", async (t) => {
  const server = await startServer(t);
  const path = "/docs/service.user.v2.UserService";
  const ask = async (headers: Record<string, string> = {}, query = "") => {
    const answer = await fetch(`${server.origin}${path}${query}`, { headers });
    return { status: answer.status, etag: answer.headers.get("etag") ?? "", text: await answer.text() };
  };
  const first = await ask();
  assert.equal(first.status, 200);
  // Of this process alone, so that others on the machine do not count.
  const timeOf = async (work: (round: number) => Promise<unknown>): Promise<number> => {
    const { user, system } = process.cpuUsage();
    for (let round = 0; round < 8; round++) await work(round);
    const spent = process.cpuUsage({ user, system });
    return (spent.user + spent.system) / 1000;
  };
  const others = [
    "management.v1.ManagementService",
    "admin.v1.AdminService",
    "auth.v1.AuthService",
    "system.v1.SystemService",
    "project.v2.ProjectService",
    "org.v2.OrganizationService",
    "application.v2.ApplicationService",
    "settings.v2.SettingsService",
  ];
  const drawn = await timeOf(async (round) => {
    const answer = await fetch(`${server.origin}/docs/service.${others[round]}`);
    assert.equal(answer.status, 200);
    await answer.body?.cancel();
  });
  for (const query of ["", "?x=1"]) {
    assert.deepEqual(await ask({}, query), first);
    // Without a body, so that it is not the sending of it that counts.
    const known = { "if-none-match": first.etag };
    const again = await timeOf(async () => assert.equal((await ask(known, query)).status, 304));
    assert.ok(again < drawn / 2, `${again} ms for eight that were drawn before, ${drawn} ms for eight that were not`);
  }
  assert.equal((await ask({ "if-none-match": 'W/"another"' })).status, 200);
  assert.equal((await fetch(`${server.origin}/docs/service.user.v2.Unknown`)).status, 404);
});
