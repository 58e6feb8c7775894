import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { enter } from "../login/support/sign-in.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

test("no list of version 1 has the page of version 2", () => {
  const folder = fileURLToPath(new URL("../../src/api/v1/", import.meta.url));
  const files = globSync("**/*.ts", { cwd: folder });
  assert.ok(files.length > 50);
  for (const file of files) assert.doesNotMatch(readFileSync(folder + file, "utf8"), /\btoPage\(/, file);
});

eachServer((start) => {
  test("what clients of the first generation expect", async (t) => {
    const server = await start(t);
    const acme = await addOrganization(server, "Acme");
    const headers = { "x-service-orgid": acme };

    await t.test("a list without a limit has up to 1,000 rows, and says how many there are (Z7)", async () => {
      const { body: project } = await server.rest("POST", "/management/v1/projects", { headers, body: { name: "P" } });
      const path = `/management/v1/projects/${project.id}/roles`;
      for (const [begin, count] of [
        [0, 100],
        [100, 30],
      ] as const) {
        const roles = Array.from({ length: count }, (_, index) => ({ key: `role_${begin + index}`, displayName: "R" }));
        assert.equal((await server.rest("POST", `${path}/_bulk`, { headers, body: { roles } })).status, 200);
      }
      for (const [body, length] of [
        [{}, 130],
        [{ query: { asc: true } }, 130],
        [{ query: { offset: 120 } }, 10],
        [{ query: { limit: 7 } }, 7],
      ] as const) {
        const listed = await server.rest("POST", `${path}/_search`, { headers, body });
        assert.equal(listed.body.result.length, length, JSON.stringify(body));
        assert.equal(listed.body.details.totalResult, 130);
      }
      const more = await server.rest("POST", `${path}/_search`, { headers, body: { query: { limit: 1001 } } });
      assert.equal(more.status, 400);
      const listed = await server.connect("service.project.v2.ProjectService/ListProjectRoles", {
        projectId: project.id,
      });
      assert.deepEqual([listed.body.projectRoles.length, listed.body.pagination.totalResult], [100, "130"]);
    });

    await t.test("no preferred language is und, in and out (Z3)", async () => {
      const person = await addPerson(server, { username: "ada", organizationId: acme });
      const languages = async () => {
        const profile = await server.rest("GET", `/management/v1/users/${person.userId}/profile`, { headers });
        const user = await server.rest("GET", `/v2/users/${person.userId}`);
        return [profile.body.profile.preferredLanguage, user.body.user.human.profile.preferredLanguage];
      };
      assert.deepEqual(await languages(), ["und", "und"]);
      const set = (preferredLanguage: string) =>
        server.rest("PUT", `/management/v1/users/${person.userId}/profile`, {
          headers,
          body: { firstName: "Ada", lastName: "Lovelace", displayName: "Ada", preferredLanguage },
        });
      assert.equal((await set("de")).status, 200);
      assert.deepEqual(await languages(), ["de", "de"]);
      assert.equal((await set("und")).status, 200);
      assert.deepEqual(await languages(), ["und", "und"]);
      const profile = { givenName: "Ada", familyName: "Lovelace", preferredLanguage: "und" };
      const updated = await server.rest("PATCH", `/v2/users/${person.userId}`, { body: { human: { profile } } });
      assert.equal(updated.status, 200, JSON.stringify(updated.body));
    });

    await t.test(
      "an address to return to may lack its scheme: http on this machine, https elsewhere (Z14)",
      async () => {
        const person = await addPerson(server, { username: "grace", organizationId: acme });
        for (const [given, leads] of [
          ["localhost:8080", "http://localhost:8080"],
          ["portal.example/home", "https://portal.example/home"],
          ["https://portal.example/", "https://portal.example/"],
        ] as const) {
          const policy = await server.rest("PUT", "/admin/v1/policies/login", {
            body: { allowUsernamePassword: true, defaultRedirectUri: given },
          });
          assert.equal(policy.status, 200, `${given} ${JSON.stringify(policy.body)}`);
          const read = await server.rest("GET", "/admin/v1/policies/login");
          assert.equal(read.body.policy.defaultRedirectUri, given, "what was set is read back");
          const browser = new TestBrowser(server);
          const page = await enter({ browser, page: await browser.open("/ui/login") }, person);
          assert.equal(page.address, leads, given);
        }
        for (const wrong of [
          "javascript:alert(1)",
          "//evil.example",
          "data:text/html,x",
          "localhost",
          "a b:1",
          "u@h.x",
        ]) {
          const refused = await server.rest("PUT", "/admin/v1/policies/login", {
            body: { allowUsernamePassword: true, defaultRedirectUri: wrong },
          });
          assert.equal(refused.body.details?.[0]?.id, "settings.redirect_invalid", wrong);
        }
        await changeSettings(server, "login", { defaultRedirectUri: "" });
      },
    );
  });
});
