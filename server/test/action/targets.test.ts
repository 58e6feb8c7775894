import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { feedStart, listFeed } from "../../src/event/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";
import { actionsOf } from "./support/actions.ts";

const service = "service.action.v2.ActionService";
const endpoint = "https://hooks.example.com/call?tenant=1";

const pem = (type: "rsa" | "ec" | "ed25519"): string => {
  const { publicKey } =
    type === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : type === "ec"
        ? generateKeyPairSync("ec", { namedCurve: "P-256" })
        : generateKeyPairSync("ed25519");
  return publicKey.export({ type: "spki", format: "pem" }).toString();
};
const base64 = (text: string): string => Buffer.from(text).toString("base64");

eachEngine((_open, engine) => {
  test("targets, their keys and executions", async (t) => {
    const server = await startServer(t, { engine });
    const { rest, connect } = server;
    const actions = actionsOf(server);
    const idOf = async (answer: Promise<{ status: number; body: { details: { id: string }[] } }>) => {
      const { status, body } = await answer;
      return `${status} ${body.details[0]?.id}`;
    };

    await t.test(
      "a target is created, read, changed in part, listed and deleted; its key is shown when it is made",
      async () => {
        const created = await rest("POST", "/v2/actions/targets", {
          body: { name: " first ", restCall: { interruptOnError: true }, endpoint, timeout: "2.5s" },
        });
        assert.equal(created.status, 200, JSON.stringify(created.body));
        const { id, signingKey } = created.body;
        assert.match(signingKey, /^[\w-]{43}$/);
        const read = async () => (await rest("GET", `/v2/actions/targets/${id}`)).body.target;
        const first = await read();
        assert.deepEqual(
          { ...first, creationDate: undefined, changeDate: undefined },
          {
            id,
            name: "first",
            endpoint,
            timeout: "2.500s",
            signingKey: "",
            payloadType: "PAYLOAD_TYPE_JSON",
            restCall: { interruptOnError: true },
            creationDate: undefined,
            changeDate: undefined,
          },
        );
        server.clock.now += 1000;
        const changed = await rest("POST", `/v2/actions/targets/${id}`, { body: { name: "renamed", restAsync: {} } });
        assert.deepEqual([changed.status, changed.body.signingKey], [200, undefined]);
        const second = await read();
        assert.deepEqual([second.name, second.restAsync, second.timeout], ["renamed", {}, "2.500s"]);
        assert.notEqual(second.changeDate, first.changeDate);

        server.clock.now += 1000;
        await rest("POST", `/v2/actions/targets/${id}`, { body: { name: "renamed" } });
        assert.equal((await read()).changeDate, second.changeDate, "nothing changed");

        const rotated = await rest("POST", `/v2/actions/targets/${id}`, { body: { expirationSigningKey: "0s" } });
        assert.match(rotated.body.signingKey, /^[\w-]{43}$/);
        assert.notEqual(rotated.body.signingKey, signingKey);

        assert.equal((await rest("DELETE", `/v2/actions/targets/${id}`)).status, 200);
        assert.equal(await idOf(rest("GET", `/v2/actions/targets/${id}`)), "404 target.not_found");
        assert.deepEqual((await rest("DELETE", `/v2/actions/targets/${id}`)).body, {}, "gone already");
        assert.equal(
          await idOf(rest("POST", `/v2/actions/targets/${id}`, { body: { name: "x" } })),
          "404 target.not_found",
        );
      },
    );

    await t.test("an invalid target is refused, and the field is named", async () => {
      const good = { name: "n", restCall: {}, endpoint };
      const wrong: readonly [change: object, slug: string][] = [
        [{ restCall: undefined }, "target.type_required"],
        [{ name: "  " }, "target.name_invalid"],
        [{ name: "a\u202eb" }, "target.name_invalid"],
        [{ endpoint: "ftp://hooks.example.com/" }, "target.endpoint_invalid"],
        [{ endpoint: "https://user:secret@hooks.example.com/" }, "target.endpoint_invalid"],
        [{ endpoint: "https://127.1/" }, "target.endpoint_invalid"],
        [{ endpoint: "javascript:alert(1)" }, "target.endpoint_invalid"],
        [{ payloadType: 9 }, "target.payload_type_unknown"],
      ];
      for (const [change, slug] of wrong) {
        const answer = rest("POST", "/v2/actions/targets", { body: { ...good, ...change } });
        assert.equal(await idOf(answer), `400 ${slug}`, JSON.stringify(change));
      }
      for (const timeout of ["-1s", "271s"]) {
        assert.equal((await rest("POST", "/v2/actions/targets", { body: { ...good, timeout } })).status, 400, timeout);
      }
    });

    await t.test("lists have filters, order and pages", async () => {
      const made = [];
      for (const name of ["list-b", "list-a", "list-c"]) made.push(await actions.createTarget(endpoint, { name }));
      const names = async (body: object): Promise<string[]> => {
        const { targets, pagination } = await actions.call("ListTargets", body);
        assert.equal(pagination.totalResult, String(targets?.length ?? 0));
        return (targets ?? []).map(({ name }: { name: string }) => name);
      };
      const byName = {
        targetNameFilter: { targetName: "LIST-", method: "TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE" },
      };
      const sorted = { filters: [byName], sortingColumn: "TARGET_FIELD_NAME_NAME" };
      assert.deepEqual(await names({ ...sorted, pagination: { asc: true } }), ["list-a", "list-b", "list-c"]);
      assert.deepEqual(await names(sorted), ["list-c", "list-b", "list-a"]);
      const ids = { inTargetIdsFilter: { targetIds: [made[0]?.targetId, "1"] } };
      assert.deepEqual(await names({ filters: [byName, ids] }), ["list-b"]);
      assert.equal((await connect(`${service}/ListTargets`, { filters: [{}] })).status, 400);
      const page = await actions.call("ListTargets", { ...sorted, pagination: { limit: 1, offset: 1, asc: true } });
      assert.deepEqual([page.targets.length, page.targets[0].name, page.pagination.totalResult], [1, "list-b", "3"]);
    });

    await t.test(
      "public keys: one is active, an active one is not removed, a key that cannot encrypt is refused",
      async () => {
        const { targetId } = await actions.createTarget(endpoint, { payloadType: "JWE" });
        const add = (publicKey: string, more: object = {}) =>
          actions.call("AddPublicKey", { targetId, publicKey: base64(publicKey), ...more });
        const rsa = pem("rsa");
        const { keyId: first } = await add(rsa);
        const { keyId: second } = await add(pem("ec"), { expirationDate: "2030-01-01T00:00:00Z" });
        const active = async () =>
          (await actions.call("ListPublicKeys", { targetId, filters: [{ activeFilter: true }] })).publicKeys?.map(
            ({ keyId }: { keyId: string }) => keyId,
          ) ?? [];
        assert.deepEqual(await active(), []);
        await actions.call("ActivatePublicKey", { targetId, keyId: first });
        assert.deepEqual(await active(), [first]);
        await actions.call("ActivatePublicKey", { targetId, keyId: second });
        assert.deepEqual(await active(), [second]);
        const remove = (keyId: string) => rest("DELETE", `/v2/actions/targets/${targetId}/publickeys/${keyId}`);
        assert.equal(await idOf(remove(second)), "400 target.key_active");
        await actions.call("DeactivatePublicKey", { targetId, keyId: second });
        assert.equal((await remove(second)).status, 200);
        assert.equal((await remove(second)).status, 200, "gone already");
        const { publicKeys } = await actions.call("ListPublicKeys", { targetId });
        assert.equal(publicKeys.length, 1);
        assert.equal(Buffer.from(publicKeys[0].publicKey, "base64").toString("utf8"), rsa);
        assert.match(publicKeys[0].fingerprint, /^[0-9a-f]{64}$/);

        const connectId = async (publicKey: string, more: object = {}): Promise<string> => {
          const { body } = await connect(`${service}/AddPublicKey`, {
            targetId,
            publicKey: base64(publicKey),
            ...more,
          });
          return body.details[0].debug.id;
        };
        assert.equal(await connectId(pem("ed25519")), "public_key.not_for_encryption");
        assert.equal(await connectId("nonsense"), "public_key.malformed");
        assert.equal(await connectId(rsa, { expirationDate: "2020-01-01T00:00:00Z" }), "target.key_expired");
      },
    );

    await t.test("executions are set, replaced, listed and removed; a deleted target leaves them", async () => {
      const [one, two] = [await actions.createTarget(endpoint), await actions.createTarget(endpoint)];
      const conditions: readonly object[] = [
        { request: { method: "/service.user.v2.UserService/CreateUser" } },
        { response: { service: "zitadel.session.v2.SessionService" } },
        { request: { all: true } },
        { event: { event: "user.created" } },
        { event: { group: "user.email" } },
        { event: { all: true } },
        { function: { name: "preuserinfo" } },
      ];
      for (const condition of conditions) await actions.set(condition, [one, two]);
      const list = async (body: object = {}) => (await actions.call("ListExecutions", body)).executions ?? [];
      const all = await list();
      assert.equal(all.length, conditions.length);
      for (const condition of conditions) {
        const [found] = await list({ filters: [{ inConditionsFilter: { conditions: [condition] } }] });
        assert.deepEqual(found.condition, condition);
        assert.deepEqual(found.targets, [one.targetId, two.targetId]);
      }
      const byKind = await list({ filters: [{ executionTypeFilter: { executionType: "EXECUTION_TYPE_EVENT" } }] });
      assert.equal(byKind.length, 3);

      await actions.call("DeleteTarget", { id: one.targetId });
      assert.equal((await list({ filters: [{ targetFilter: { targetId: one.targetId } }] })).length, 0);
      const left = await list({ filters: [{ targetFilter: { targetId: two.targetId } }] });
      assert.equal(left.length, conditions.length);
      for (const condition of conditions.slice(1)) await actions.set(condition, []);
      assert.equal((await list()).length, 1);
      await actions.call("DeleteTarget", { id: two.targetId });
      assert.equal((await list()).length, 0, "an execution without targets is none");
    });

    await t.test("conditions that are never met, and targets that are not there, are refused", async () => {
      const target = await actions.createTarget(endpoint);
      const set = (condition: object, targets: readonly string[] = [target.targetId]) =>
        idOf(rest("PUT", "/v2/actions/executions", { body: { condition, targets } }));
      const unknown: readonly object[] = [
        { request: { method: "/service.user.v2.UserService/Nothing" } },
        { request: { method: "service.user.v2.UserService/CreateUser" } },
        { request: { method: "/other.user.v2.UserService/CreateUser" } },
        { response: { service: "service.nothing.v2.Service" } },
        // An administrator whose condition stops everything must be able to remove it again.
        { request: { service: "service.action.v2.ActionService" } },
        { request: { method: "/service.action.v2.ActionService/SetExecution" } },
        { event: { event: "user.exploded" } },
        { event: { group: "use" } },
        { function: { name: "presomething" } },
      ];
      for (const condition of unknown) {
        assert.equal(await set(condition), "400 execution.condition_unknown", JSON.stringify(condition));
      }
      for (const condition of [{}, { request: {} }, { event: {} }]) {
        assert.equal(await set(condition), "400 execution.condition_required", JSON.stringify(condition));
      }
      const good = { request: { all: true } };
      assert.equal(await set(good, ["1"]), "404 target.not_found");
      assert.equal(await set(good, [target.targetId, target.targetId]), "400 execution.target_repeated");
      const functions = await rest("GET", "/v2/actions/executions/functions");
      assert.deepEqual(functions.body.functions, ["preuserinfo", "preaccesstoken", "presamlresponse"]);
      const { methods } = (await rest("GET", "/v2/actions/executions/methods")).body;
      assert.ok(methods.includes("/service.user.v2.UserService/CreateUser"));
      assert.ok(!methods.some((name: string) => name.includes("ActionService")));
      const { services } = (await rest("GET", "/v2/actions/executions/services")).body;
      assert.ok(services.includes("service.user.v2.UserService"));
    });

    await t.test(
      "administrators of the instance may write, its viewers may read, other callers learn nothing",
      async () => {
        const { targetId } = await actions.createTarget(endpoint);
        const tokenOf = async (username: string, resource: object, role: string): Promise<string> => {
          const person = await addPerson(server, { username });
          await appoint(server, person, resource, [role]);
          return (await sessionOf(server, person)).token;
        };
        const viewer = await tokenOf("viewer", { instance: true }, "IAM_OWNER_VIEWER");
        const organizationId = await defaultOrganization(server);
        const orgOwner = await tokenOf("org-owner", { organizationId }, "ORG_OWNER");
        const status = async (token: string | null, method: string, path: string, body?: object): Promise<number> =>
          (await rest(method, path, { token, ...(body && { body }) })).status;
        const target = `/v2/actions/targets/${targetId}`;
        assert.equal(await status(viewer, "GET", target), 200);
        assert.equal(await status(viewer, "POST", "/v2/actions/targets/search", {}), 200);
        assert.equal(await status(viewer, "POST", "/v2/actions/executions/search", {}), 200);
        const writes: readonly [string, string, object?][] = [
          ["POST", "/v2/actions/targets", { name: "n", restCall: {}, endpoint }],
          ["POST", target, { name: "n" }],
          ["DELETE", target],
          ["PUT", "/v2/actions/executions", { condition: { request: { all: true } } }],
          ["POST", `${target}/publickeys`, { publicKey: base64(pem("ec")) }],
          ["POST", `${target}/publickeys/1/activate`, {}],
          ["POST", `${target}/publickeys/1/deactivate`, {}],
          ["DELETE", `${target}/publickeys/1`],
        ];
        const reads: readonly [string, string, object?][] = [
          ["GET", target],
          ["POST", "/v2/actions/targets/search", {}],
          ["POST", "/v2/actions/executions/search", {}],
          ["POST", `${target}/publickeys/search`, {}],
          ["POST", `${target}/deliveries/search`, {}],
        ];
        for (const [method, path, body] of writes) assert.equal(await status(viewer, method, path, body), 403, path);
        for (const [method, path, body] of [...writes, ...reads]) {
          assert.equal(await status(orgOwner, method, path, body), 403, path);
          assert.equal(await status(null, method, path, body), 401, path);
        }
      },
    );

    await t.test("no signing key is in an event or in a row", async () => {
      const { signingKey, targetId } = await actions.createTarget(endpoint);
      const { signingKey: rotated } = await actions.call("UpdateTarget", { id: targetId, expirationSigningKey: "0s" });
      const { read } = server.app.domain.database;
      const events = JSON.stringify(await listFeed(read, feedStart, 1000));
      const rows = JSON.stringify(await read.all(sql`select * from targets`));
      for (const secret of [signingKey, rotated]) {
        assert.ok(!events.includes(secret));
        assert.ok(!rows.includes(secret));
      }
      assert.ok(events.includes("target.updated") && rows.includes(targetId));
    });
  });
});
