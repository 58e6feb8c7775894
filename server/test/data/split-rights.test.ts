import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeDirectory, runCommand } from "../support/servers/command.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { everything } from "./support/everything.ts";

eachServer((start) => {
  test("in several requests as in one, rights go to the users whom an organization means", async (t) => {
    const server = await start(t);
    // biome-ignore lint/suspicious/noExplicitAny: requests are JSON.
    const [home, guest] = everything() as any[];
    const [ada, eve] = ["74", "78"];
    guest.orgState = undefined;
    home.userGrants.push({ userId: eve, projectId: "71", roleKeys: ["seller"] });
    // Comes first, and takes the id of a user of the home.
    const thief = { ...guest, orgId: "700000000000000003", org: { name: "Thief" }, userGrants: [] };
    thief.humanUsers = [{ userId: ada, user: { ...guest.humanUsers[0].user, userName: "thief" } }];
    const directory = makeDirectory(t);
    writeFileSync(join(directory, "data.json"), JSON.stringify({ orgs: [thief, home, guest] }));
    writeFileSync(join(directory, "token"), server.ownerToken);
    const options = ["--report=report.ndjson", "--json", "--token-file=token", `--url=${server.origin}`];
    const done = await runCommand(t, ["org", "import", "data.json", ...options], { in: directory });
    assert.equal(done.code, 1, done.stdout);
    const report = readFileSync(join(directory, "report.ndjson"), "utf8");
    const lines: { user: string; field: string; what: string; why: string }[] = report
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const rights = lines.filter(({ field }) => /grant|member/.test(field));
    assert.deepEqual(rights.map(({ user }) => user).toSorted(), ["71_74", "74"], report);
    for (const { what, why } of rights) assert.match(`${what} ${why}`, /^failed .*\(user\.not_found\)$/);
    assert.ok(!report.includes("data.not_imported"), report);
    const { body } = await server.connect("service.authorization.v2.AuthorizationService/ListAuthorizations", {});
    const users = body.authorizations.map((each: { user: { id: string } }) => each.user.id);
    assert.deepEqual(users, [eve, eve], "the control");
  });
});
