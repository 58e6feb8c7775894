import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { eachEngine } from "../support/databases/databases.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { addServiceAccount } from "../support/people/owners.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { preUserinfo, scriptsOf } from "./support/scripts.ts";

eachEngine((_open, engine) => {
  test("scripts send requests to other servers, within limits", async (t) => {
    const server = await startOidcServer(t, { engine });
    const receiver = await startReceiver(t);
    const scripts = scriptsOf(server);
    let count = 0;
    /** Returns what an expression of a script is, or what it throws. */
    const evaluate = async (expression: string): Promise<unknown> => {
      const name = `probe${++count}`;
      const script = `const http = require("zitadel/http");
        function ${name}(ctx, api) {
          let value;
          try { value = ${expression}; } catch (error) { value = "error: " + error.message; }
          api.v1.claims.setClaim("value", value);
        }`;
      await scripts.run(preUserinfo, name, script);
      return decodeJwt((await server.tokens({ scope: "openid" }))["id_token"] ?? "")["value"];
    };
    const { origin } = receiver;

    receiver.answer = (_request, response) => void response.end('{"role":"admin"}');
    const posted = `{ method: "POST", body: { id: 1 }, headers: { "X-Key": ["a", "b"], authorization: "Bearer t" } }`;
    assert.equal(await evaluate(`http.fetch("${origin}/roles?a=1", ${posted}).json().role`), "admin");
    const { method, path, headers, body } = receiver.received[0] ?? assert.fail();
    assert.deepEqual([method, path, body], ["POST", "/roles?a=1", '{"id":1}']);
    assert.deepEqual([headers["x-key"], headers.authorization], ["a, b", "Bearer t"]);
    assert.deepEqual([headers["content-type"], headers.accept], ["application/json", "application/json"]);

    receiver.answer = (_request, response) => void response.writeHead(404).end("nothing");
    assert.deepEqual(await evaluate(`(({ status, body, text }) => [status, body, text()])(http.fetch("${origin}/"))`), [
      404,
      "nothing",
      "nothing",
    ]);
    const refused = [
      [`http.fetch("http://10.0.0.1/")`, /^error: the request failed/],
      [`http.fetch("file:///etc/passwd")`, /^error: the request failed/],
      [`http.fetch("${origin}/", { method: "TRACE" })`, /^error: the method must be/],
      [`http.fetch("${origin}/", { headers: { Host: "else" } })`, /^error: the header host is invalid/],
      [`http.fetch("${origin}/", { headers: { "a b": "c" } })`, /^error: the header a b is invalid/],
      [`http.fetch("${origin}/", { headers: { a: "b\\r\\nc: d" } })`, /^error: the header a is invalid/],
      [`http.fetch("${origin}/", { method: "POST", body: "x".repeat(70000) })`, /^error: the body is too long/],
    ] as const;
    const before = receiver.received.length;
    for (const [expression, reason] of refused) assert.match(String(await evaluate(expression)), reason, expression);
    assert.equal(receiver.received.length, before);
    receiver.answer = (_request, response) => void response.writeHead(302, { location: origin }).end();
    assert.match(String(await evaluate(`http.fetch("${origin}/")`)), /^error: the request failed/);

    receiver.answer = (_request, response) => void response.end("x".repeat(200_000));
    const many = `(() => { let n = 0; try { for (;;) { http.fetch("${origin}/"); n++; } } catch { return n; } })()`;
    assert.equal(await evaluate(many), 5, "a mebibyte of answers");
    receiver.answer = (_request, response) => void response.end("");
    assert.equal(await evaluate(many), 10, "ten requests");
  });

  test("a script whose author may not change targets reaches public servers alone (A31)", async (t) => {
    const server = await startOidcServer(t, { engine, config: { mode: "start", outboundAllow: ["127.0.0.0/8"] } });
    const receiver = await startReceiver(t);
    const scripts = scriptsOf(server);
    const organizationId = await addOrganization(server, "Tenant");
    const owner = await addPerson(server, { username: "owner", organizationId });
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, owner);
    const project = { organizationId, name: "Own" };
    const made = await server.connect("service.project.v2.ProjectService/CreateProject", project, { token });
    const client = await server.createClient({}, made.body.projectId);
    const script = `function probe(ctx, api) {
      try { require("zitadel/http").fetch("${receiver.origin}/"); } catch (error) { api.v1.claims.setClaim("e", error.message); }
    }`;
    const id = await scripts.run(preUserinfo, "probe", script, { organizationId, token });
    const told = async () =>
      decodeJwt((await server.tokens({ client, user: owner, scope: "openid" }))["id_token"] ?? "")["e"];
    assert.match(String(await told()), /^the request failed/);
    assert.equal(receiver.connections, 0);
    // Who may write the scripts of every organization, and no targets.
    const manager = await addServiceAccount(server, server.organizationId, "manager");
    await appoint(server, manager, { instance: true }, ["IAM_ORG_MANAGER"]);
    const managers = { name: "probe", script: `${script} // manager`, timeout: "5s" };
    await scripts.call("PUT", `/actions/${id}`, managers, { organizationId, token: manager.token });
    assert.match(String(await told()), /^the request failed/);
    assert.equal(receiver.connections, 0);
    const body = { name: "probe", script: `${script} //`, timeout: "5s" };
    await scripts.call("PUT", `/actions/${id}`, body, { organizationId });
    assert.equal(await told(), undefined);
    assert.equal(receiver.received.length, 1);
  });
});
