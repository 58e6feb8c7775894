import assert from "node:assert/strict";
import { pbkdf2Sync } from "node:crypto";
import { test } from "node:test";
import { callUser } from "../../factor/support.ts";
import { addPerson, defaultOrganization, goodPassword } from "../../support/people/people.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import { startServer, type TestServer } from "../../support/servers/server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { isBack, visit } from "../support/sign-in.ts";

// So costly that no other refusal takes nearly as long by itself.
const rounds = 500_000;
const quantum = 400;

function hashOf(password: string): string {
  const salt = Buffer.alloc(16, 7);
  const encoded = [salt, pbkdf2Sync(password, salt, rounds, 32, "sha256")].map((bytes) =>
    bytes.toString("base64").replace(/=+$/, ""),
  );
  return ["", "pbkdf2-sha256", `i=${rounds}`, ...encoded].join("$");
}

const importUser = async (server: TestServer, username: string): Promise<unknown> =>
  callUser(server, "AddHumanUser", {
    organization: { orgId: await defaultOrganization(server) },
    username,
    profile: { givenName: username, familyName: "Example" },
    email: { email: `${username}@mail.example`, isVerified: true },
    hashedPassword: { hash: hashOf(goodPassword) },
  });

eachServer((start) => {
  test("where users have imported hashes, a refusal takes as long as the costliest of them", async (t) => {
    const server = await start(t, { passwordCost: "usual" });
    await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    /** The milliseconds from the password to the answer, the least of some tries: others use the machine, too. */
    const time = async (at: TestServer, loginName: string, password: string, tries = 3): Promise<number> => {
      let least = Number.POSITIVE_INFINITY;
      for (let count = 0; count < tries; count++) {
        const { browser, page } = await visit(at, client);
        const asked = await browser.submit(page, { login_name: loginName });
        const started = performance.now();
        const shown = await browser.submit(asked, { password });
        least = Math.min(least, performance.now() - started);
        if (password === goodPassword) assert.ok(isBack(shown), shown.html);
        else assert.match(shown.alert ?? "", /^The username or password is wrong/);
      }
      return least;
    };
    assert.ok((await time(server, "una", "wrong")) < quantum, "before an import");

    await importUser(server, "imported");
    for (const name of ["una", "ada", "imported"]) {
      const taken = await time(server, name, "wrong", 1);
      assert.ok(taken >= quantum, `${name}: ${taken} ms`);
    }
    assert.ok((await time(server, "ada", goodPassword)) < quantum, "the right password waits for nothing");
    if (server.location.url !== undefined) {
      const { location, ownerToken, origin } = server;
      const other = await startServer(t, { passwordCost: "usual", location, ownerToken, config: { baseUrl: origin } });
      assert.ok((await time(other, "una", "wrong", 1)) >= quantum, "at another node");
    }

    server.clock.now += 2 * 3_600_000;
    assert.ok((await time(server, "una", "wrong", 1)) >= quantum, "as long as there is one");
    // The right password stores a hash of our own; the next refusal finds that none is left.
    await time(server, "imported", goodPassword, 1);
    server.clock.now += 2 * 3_600_000;
    await time(server, "una", "wrong", 1);
    assert.ok((await time(server, "una", "wrong")) < quantum, "two hours after the last of them signed in");
  });
});
