import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { systemRandom } from "../../src/base/random.ts";
import { generateToken } from "../../src/call/index.ts";
import { sampleRequest } from "../support/data/sample-request.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { createSecondInstance, secondHost, systemUser } from "../support/people/system-user.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { type Actions, actionsOf, answerJson } from "./support/actions.ts";

const request = { request: { all: true } };
const response = { response: { all: true } };

/** Whether the contract says that a method is of a system, told from the published description alone. */
function isOfSystem(service: string, method: string, permissions: string): boolean {
  return (
    service === "service.system.v1.SystemService" ||
    service === "service.instance.v2.InstanceService" ||
    method.endsWith("SystemFeatures") ||
    permissions.includes("system.")
  );
}

interface Asked {
  readonly name: string;
  readonly body: object;
  /** Whether no target may see it, for any caller: it is of the system, or its callers are not known. */
  readonly isUnseen: boolean;
}

/** Every implemented method but those that set conditions, with a request that passes the rules of the contract. */
async function everyMethod({ app }: TestServer): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const { name, access, isHealth, ...method } of app.methods.values()) {
    if (isHealth || name.startsWith("service.action.v2.") || (await method.loadImplementation()) === undefined)
      continue;
    const { input, parent, name: short } = await method.loadDescriptor();
    const body = sampleRequest(input);
    asked.push({
      name,
      body,
      isUnseen: access.kind === "open" || isOfSystem(parent.typeName, short, JSON.stringify(access)),
    });
  }
  return asked;
}

async function inBatches<Thing>(things: readonly Thing[], ask: (thing: Thing) => Promise<void>): Promise<void> {
  for (let start = 0; start < things.length; start += batch) {
    await Promise.all(things.slice(start, start + batch).map(ask));
  }
}

const batch = 24;

/** Sets targets around everything; the one before a method refuses, so that no call has an effect. */
async function surround(actions: Actions, origin: string): Promise<void> {
  const before = await actions.createTarget(`${origin}/before`, { kind: "restWebhook", timeout: "60s" });
  const after = await actions.createTarget(`${origin}/after`, { kind: "restCall" });
  await actions.set(request, [before]);
  await actions.set(response, [after]);
}

test("targets see every method of their instance's callers and no call or method of the system (A3)", async (t) => {
  const operatorToken = generateToken("operatorToken", systemRandom);
  const { config, tokenFor } = systemUser(t);
  const server = await startServer(t, { config, operatorToken, mailTimeout: 200 });
  const receiver = await startReceiver(t);
  answerJson(receiver, () => ({ forwardedStatusCode: 409, forwardedErrorMessage: "stopped by the target" }));
  await surround(actionsOf(server), receiver.origin);
  const methods = await everyMethod(server);
  assert.ok(methods.length > 500, `only ${methods.length} methods`);
  const callers = {
    "instance administrator": server.ownerToken,
    "system user": tokenFor(server),
    operator: operatorToken.reveal(),
  };
  const refusals = new Map<string, string>();
  for (const [caller, token] of Object.entries(callers)) {
    const heard = receiver.received.length;
    await inBatches(methods, async ({ name, body }) => {
      const answer = await server.connect(name, body, { token });
      if (caller === "instance administrator") refusals.set(name, answer.body.message);
    });
    const seen = receiver.received.slice(heard).map(({ body }) => JSON.parse(body).fullMethod.slice(1));
    if (caller === "instance administrator") continue;
    assert.deepEqual(seen, [], `seen of the ${caller}`);
  }
  const seen = new Set(receiver.received.map(({ body }) => JSON.parse(body).fullMethod.slice(1)));
  const unseen = methods.filter(({ name, isUnseen }) => !isUnseen && !seen.has(name)).map(({ name }) => name);
  for (const { name, isUnseen } of methods) {
    assert.ok(!(isUnseen && seen.has(name)), name);
    if (seen.has(name)) assert.equal(refusals.get(name), "stopped by the target", name);
  }
  // The samples do not pass the rules of every method; nearly all of them do.
  assert.ok(unseen.length < methods.length / 20, unseen.join("\n"));
});

eachEngine((_open, engine) => {
  test("a target can neither read nor change the calls of a system user on any host (A3)", async (t) => {
    const { config, tokenFor } = systemUser(t);
    const server = await startServer(t, { engine, config });
    const token = tokenFor(server);
    const receiver = await startReceiver(t);
    const { pat, instanceId } = await createSecondInstance(server, token);
    const second = actionsOf({
      connect: (method, body, options) =>
        server.byHost(secondHost, "POST", `/${method}`, { body, token: pat, ...options }),
    });
    answerJson(receiver, ({ request, response }) => ({ ...(response ?? request), instanceId: "1", name: "turned" }));
    for (const [path, condition] of Object.entries({ request, response })) {
      await second.set(condition, [await second.createTarget(`${receiver.origin}/${path}`)]);
    }
    const events = await startReceiver(t);
    await second.set({ event: { all: true } }, [await second.createTarget(events.origin, { kind: "restAsync" })]);
    const asSystem = (method: string, path: string, body?: object) =>
      server.byHost(secondHost, method, path, { token, ...(body && { body }) });

    const made = await asSystem("POST", "/system/v1/instances/_create", {
      instanceName: "Third",
      firstOrgName: "Third",
      customDomain: "third.example",
      machine: { userName: "m", name: "m", personalAccessToken: { expirationDate: "2100-01-01T00:00:00Z" } },
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    assert.match(made.body.pat, /^dwp_/);
    assert.notEqual(made.body.instanceId, "1");
    const flags = await asSystem("GET", "/v2/features/instance");
    assert.equal(flags.status, 200, JSON.stringify(flags.body));
    const removed = await asSystem("DELETE", `/system/v1/instances/${made.body.instanceId}`);
    assert.equal(removed.status, 200, JSON.stringify(removed.body));
    assert.equal(receiver.received.length, 0, "the target of the host's instance heard nothing");

    const own = await server.byHost(secondHost, "POST", "/v2/organizations", { token: pat, body: { name: "Own" } });
    assert.equal(own.status, 201, JSON.stringify(own.body));
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ["/request", "/response"],
      "calls of the instance's own administrator are intercepted",
    );
    const payloads = () => events.received.map(({ body }) => JSON.parse(body));
    for (let wait = 0; !payloads().some(({ event_type: type }) => type.startsWith("organization.")); wait++) {
      assert.ok(wait < 400, "its own events arrive");
      await setTimeout(10);
    }
    for (const payload of payloads()) assert.equal(payload.instanceID, instanceId, payload.event_type);
  });

  test("a rewritten request is authorized in its new form and for the resource that it now names (A3)", async (t) => {
    const server = await startServer(t, { engine });
    const actions = actionsOf(server);
    const receiver = await startReceiver(t);
    const home = await defaultOrganization(server);
    const { body: foreign } = await server.rest("POST", "/v2/organizations", { body: { name: "Foreign" } });
    const machine = (organizationId: string, username: string) => ({
      organizationId,
      username,
      machine: { name: username },
    });
    const { body: manager } = await server.rest("POST", "/v2/users/new", { body: machine(home, "manager") });
    const administrator = { resource: { organizationId: home }, userId: manager.id, roles: ["ORG_OWNER"] };
    const appointed = await server.connect(
      "service.internal_permission.v2.InternalPermissionService/CreateAdministrator",
      administrator,
    );
    assert.equal(appointed.status, 200, JSON.stringify(appointed.body));
    const issued = await server.rest("POST", `/v2/users/${manager.id}/pats`, {
      body: { expirationDate: "2100-01-01T00:00:00Z" },
    });
    const { token } = issued.body;
    await actions.set({ request: { method: "/service.user.v2.UserService/CreateUser" } }, [
      await actions.createTarget(receiver.origin),
    ]);
    const create = (username: string) => server.rest("POST", "/v2/users/new", { token, body: machine(home, username) });

    answerJson(receiver, ({ request: given }) => ({ ...given, username: `${given.username}-changed` }));
    assert.equal((await create("one")).status, 200, "within the caller's rights a target may change the request");
    answerJson(receiver, ({ request: given }) => ({ ...given, organizationId: foreign.organizationId }));
    const refused = await create("two");
    assert.equal(refused.status, 403, JSON.stringify(refused.body));
    const found = await server.rest("POST", "/v2/users", {
      body: { queries: [{ organizationIdQuery: { organizationId: foreign.organizationId } }] },
    });
    assert.deepEqual(found.body.result ?? [], [], "nothing was created in the organization that the target named");
  });
});
