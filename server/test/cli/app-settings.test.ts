import assert from "node:assert/strict";
import { test } from "node:test";
import { askCommand, makeDirectory, runCommand, startServerProcess } from "../support/servers/command.ts";

test("applications are made with settings of their tokens, listed, and changed (R9)", async (t) => {
  const directory = makeDirectory(t);
  const environment = {
    DOORWARD_BOOTSTRAP_ADMIN_USERNAME: "root",
    DOORWARD_BOOTSTRAP_ADMIN_PASSWORD: "correct horse battery",
  };
  await startServerProcess(t, ["dev"], { in: directory, environment });
  const options = { in: directory };
  const ask = (...args: string[]) => askCommand(t, ["app", ...args], options);

  const addresses = ["--redirect-uri", "https://shop.example/a", "https://shop.example/b"];
  const settings = ["--back-channel-logout-uri", "https://shop.example/out", "--token-format", "jwt"];
  const switches = ["--role-assertion", "--profile-in-id-token", "--narrow-audience"];
  const made = await ask("create", "shop", ...addresses, ...settings, ...switches);
  const { applications } = await ask("list");
  const [shop] = applications.filter(({ name }: { name: string }) => name === "shop");
  assert.deepEqual(
    [shop.clientId, shop.applicationId, shop.projectId],
    [made.clientId, made.applicationId, made.projectId],
  );
  assert.deepEqual(shop.client, {
    redirectUris: ["https://shop.example/a", "https://shop.example/b"],
    postLogoutRedirectUris: [],
    backChannelLogoutUri: "https://shop.example/out",
    tokenFormat: "jwt",
    roleAssertion: true,
    profileInIdToken: true,
    narrowAudience: true,
  });
  const other = await ask("create", "plain");
  const ofProject = await ask("list", "--project", other.projectId);
  assert.deepEqual(
    ofProject.applications.map(({ name, type }: { name: string; type: string }) => [name, type]),
    [["plain", "web"]],
  );
  const { narrowAudience: _, ...usual } = ofProject.applications[0].client;
  assert.deepEqual([usual.tokenFormat, usual.roleAssertion, usual.profileInIdToken], ["opaque", false, false]);

  const changed = await ask("update", made.clientId, "--role-assertion", "off", "--token-format", "opaque");
  assert.deepEqual(
    [changed.client.roleAssertion, changed.client.tokenFormat, changed.client.profileInIdToken],
    [false, "opaque", true],
    "what is not given stays",
  );
  const renamed = await ask(
    "update",
    made.applicationId,
    "--name",
    "store",
    "--redirect-uri",
    "https://store.example/",
  );
  assert.deepEqual([renamed.name, renamed.client.redirectUris], ["store", ["https://store.example/"]]);

  const api = await ask("create", "api", "--type", "api");
  for (const [wrong, message] of [
    [["create", "x", "--type", "api", "--token-format", "jwt"], /signs no users in/],
    [["update", api.clientId, "--role-assertion"], /signs no users in/],
    [["update", made.clientId], /nothing was given to change/],
    [["update", "999", "--name", "x"], /there is no application 999/],
    [["update", made.clientId, "--narrow-audience", "maybe"], /Say on or off/],
    [["create", "x", "--token-format", "yaml"], /Allowed choices are opaque, jwt/],
  ] as const) {
    const refused = await runCommand(t, ["app", ...wrong], options);
    assert.notEqual(refused.code, 0, wrong.join(" "));
    assert.match(refused.stderr, message);
  }
  const spoken = await runCommand(t, ["app", "create", "two", ...addresses], options);
  for (const uri of ["https://shop.example/a", "https://shop.example/b"]) assert.ok(spoken.stdout.includes(uri), uri);
  const listed = await runCommand(t, ["app", "list"], options);
  assert.match(listed.stdout, /store \(web\)\n {2}client id: \d+/);
  assert.match(listed.stdout, /told of sign-outs at: https:\/\/shop\.example\/out/);
});
