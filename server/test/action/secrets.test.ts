import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { secret } from "@doorward/api/service/option/v1/secret_pb";
import { compactDecrypt, decodeJwt } from "jose";
import { sql } from "../../src/database/index.ts";
import { rulesOf } from "../../src/rpc/reference/schema-of-rules.ts";
import { askBy, fillInstance, fillOrganization } from "../access/support/fill-tenant.ts";
import { requestOf } from "../access/support/request.ts";
import { readRows } from "../access/support/rows.ts";
import { sampleRequest } from "../support/data/sample-request.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";
import { everythingStored } from "../tour/support/everything-stored.ts";
import { actionsOf, answerJson } from "./support/actions.ts";

const isSecret = (field: DescField): boolean => getOption(field, secret);

/** A way to a secret in a message, and a message that has nothing but what leads there. */
interface Planted {
  readonly name: string;
  readonly message: Record<string, unknown>;
}

/** Plants a canary at each secret of a message, one at a time. */
function plant(descriptor: DescMessage, canary: string, path: readonly DescMessage[] = []): Planted[] {
  if (path.includes(descriptor)) return [];
  return descriptor.fields.flatMap((field): Planted[] => {
    const inner: Planted[] = isSecret(field)
      ? [{ name: "", message: spell(field, canary) as never }]
      : field.message === undefined || field.fieldKind === "map"
        ? []
        : plant(field.message, canary, [...path, descriptor]).map(({ name, message }) => ({
            name: `.${name}`,
            message: message,
          }));
    return inner.map(({ name, message }) => ({
      name: field.jsonName + name,
      message: { ...sampleRequest(descriptor), [field.jsonName]: field.fieldKind === "list" ? [message] : message },
    }));
  });
}

// Long enough to be told from anything else, and as long as the rule of the field permits.
function spell(field: DescField, canary: string): unknown {
  if (field.message !== undefined) return { canary };
  const rules = rulesOf(field)?.kind;
  if (field.scalar === ScalarType.BYTES) return Buffer.from(canary).toString("base64");
  const most = rules?.case === "string" ? (rules.value.len ?? rules.value.maxLen ?? 200) : 200;
  return canary.slice(0, most);
}

// Its first letters are kept wherever it is cut; base64 of it begins with the base64 of its first three bytes.
const canary = "qZ7%xK!canary-of-the-test";
const traces = [canary.slice(0, 6), Buffer.from(canary).toString("base64").slice(0, 8)];
const hasTrace = (text: string): boolean => traces.some((trace) => text.includes(trace));

test("no secret of any request reaches a target, a log or an error (A29)", async (t) => {
  const log: string[] = [];
  const server = await startServer(t, { log });
  const receiver = await startReceiver(t);
  const actions = actionsOf(server);
  // Stops the call, and is logged.
  receiver.answer = (_request, response) => void response.writeHead(503).end();
  const target = await actions.createTarget(receiver.origin, { kind: "restWebhook", timeout: "60s" });
  await actions.set({ request: { all: true } }, [target]);
  const seen = new Set<string>();
  const asked = new Set<string>();
  for (const method of server.app.methods.values()) {
    if (method.isHealth || method.name.startsWith("service.action.v2.")) continue;
    if (method.isSystem || (await method.loadImplementation()) === undefined) continue;
    const { input } = await method.loadDescriptor();
    for (const { name, message } of plant(input, canary)) {
      const what = `${method.name} ${name}`;
      asked.add(what);
      const before = receiver.received.length;
      const answer = await server.connect(method.name, message);
      assert.ok(!hasTrace(JSON.stringify(answer.body)), `${what}: in the error`);
      const received = receiver.received.slice(before);
      if (received.length > 0) seen.add(what);
      for (const { body } of received) {
        assert.ok(!hasTrace(body), `${what}: ${body}`);
        const shown = name.split(".").reduce((value, key) => [value[key]].flat()[0], JSON.parse(body).request);
        assert.match(readable(shown), /^redacted:\d+$/, what);
      }
    }
  }
  assert.ok(asked.size > 100, `only ${asked.size} secrets`);
  const unseen = [...asked].filter((what) => !seen.has(what));
  assert.ok(unseen.length < asked.size / 10, unseen.join("\n"));
  assert.ok(log.length > 0, "something was logged");
  assert.ok(!hasTrace(log.join("\n")), "in the log");
});

test("no secret of any request is in an event, a log, an error or a row, whether the call succeeds or not (A29)", async (t) => {
  const log: string[] = [];
  const server = await startServer(t, { log, mailTimeout: 200 });
  const ask = askBy((path, options) => server.rest("POST", path, options));
  const organization = await defaultOrganization(server);
  const objects = { ...(await fillInstance(ask, "osprey")), ...(await fillOrganization(ask, organization, "kestrel")) };
  // What a request names and this instance does not have is an id that nothing has.
  const anything = new Proxy(objects, { get: (given, name) => Reflect.get(given, name) ?? "1" });
  const rows = readRows();
  const statuses = new Map<string, number>();
  for (const method of server.app.methods.values()) {
    if (method.isHealth || method.isSystem || (await method.loadImplementation()) === undefined) continue;
    const { input } = await method.loadDescriptor();
    const row = rows.get(method.name);
    for (const { name, message } of plant(input, canary)) {
      const what = `${method.name} ${name}`;
      const [field = ""] = name.split(".");
      const request = { ...(row && requestOf(row, input, anything)), [field]: message[field] };
      const { status, body } = await server.connect(method.name, row === undefined ? message : request);
      statuses.set(what, status);
      assert.ok(status < 500 || status === 501, `${what}: ${JSON.stringify(body)}`);
      if (status >= 400) assert.ok(!hasTrace(JSON.stringify(body)), `${what}: in the error`);
    }
  }
  assert.ok(statuses.size > 100, `only ${statuses.size} secrets`);
  const done = [...statuses.values()].filter((status) => status < 300).length;
  assert.ok(done > 45, `only ${done} calls did something`);
  assert.ok(!hasTrace(log.join("\n")), "in the log");
  const findTraces = async () =>
    (await everythingStored(server))
      .filter(({ row: stored }) => hasTrace(stored))
      .map(({ table, row: stored }) => `${table}: ${stored.slice(0, 400)}`);
  assert.deepEqual(await findTraces(), []);
  await ask("org.v2.OrganizationService/AddOrganization", { name: canary });
  assert.ok(
    (await findTraces()).some((trace) => trace.startsWith("events:")),
    "what is no secret would be found",
  );
});

const readable = (shown: unknown): string => {
  if (typeof shown !== "string") return (shown as { placeholder?: string }).placeholder ?? "";
  return shown.startsWith("redacted:") ? shown : Buffer.from(shown, "base64").toString();
};

eachEngine((_open, engine) => {
  test("secrets of requests and responses around targets (A29)", async (t) => {
    const server = await startServer(t, { engine });
    const organizationId = await defaultOrganization(server);
    const receiver = await startReceiver(t);
    const actions = actionsOf(server);
    const method = (name: string) => ({ method: `/service.user.v2.UserService/${name}` });
    const password = "Correct-horse-7";
    const person = (username: string, more: object = {}) => ({
      organizationId,
      username,
      human: {
        profile: { givenName: "Ada", familyName: "Example" },
        email: { email: `${username}@mail.example`, isVerified: true },
        password: { password, changeRequired: false },
        ...more,
      },
    });
    const create = async (body: object) => server.rest("POST", "/v2/users/new", { body });
    const signsIn = async (loginName: string, given = password): Promise<number> => {
      const checks = { user: { loginName }, password: { password: given } };
      return (await server.rest("POST", "/v2/sessions", { body: { checks } })).status;
    };
    const received = (): string[] => receiver.received.map(({ body }) => body);

    await t.test("a target changes a request without seeing its password, which stays what it was", async () => {
      const target = await actions.createTarget(receiver.origin);
      await actions.set({ request: method("CreateUser") }, [target]);
      answerJson(receiver, ({ request }) => ({ ...request, username: `${request.username}-changed` }));
      assert.equal((await create(person("one"))).status, 200);
      assert.equal(await signsIn("one-changed"), 201, "with the password of the request");
      assert.ok(!received().some((body) => body.includes(password)));

      answerJson(receiver, ({ request: { human, ...request } }) => ({
        ...request,
        human: { ...human, profile: { ...human.profile, nickName: human.password.password } },
      }));
      const moved = await create(person("two"));
      assert.equal(moved.status, 200, JSON.stringify(moved.body));
      const { user } = (await server.rest("GET", `/v2/users/${moved.body.id}`)).body;
      assert.match(user.human.profile.nickName, /^redacted:\d+$/, "a placeholder elsewhere is only text");

      answerJson(receiver, ({ request: { human, ...request } }) => ({
        ...request,
        human: { ...human, password: { password: "redacted:77" } },
      }));
      assert.equal((await create(person("three"))).body.details[0].id, "execution.failed", "an unknown placeholder");
      answerJson(receiver, ({ request: { human, ...request } }) => ({
        ...request,
        human: { ...human, password: { password: "Set-by-the-target-1" } },
      }));
      assert.equal((await create(person("four"))).status, 200);
      assert.equal(await signsIn("four", "Set-by-the-target-1"), 201, "a target may set another password");
      await actions.set({ request: method("CreateUser") }, []);
    });

    await t.test("a target that sees a secret concealed does not choose where it is sent", async () => {
      const target = await actions.createTarget(receiver.origin);
      const oauth = {
        name: "provider",
        clientId: "client",
        clientSecret: "S3cret-of-the-provider",
        authorizationEndpoint: "https://provider.example/authorize",
        tokenEndpoint: "https://provider.example/token",
        userEndpoint: "https://provider.example/user",
        idAttribute: "id",
      };
      const oidc = {
        name: "provider",
        clientId: "client",
        clientSecret: oauth.clientSecret,
        issuer: "https://provider.example",
      };
      const mail = {
        senderAddress: "a@doorward.localhost",
        senderName: "A",
        description: "mail",
        tls: true,
        host: "mail.example:465",
        user: "mailer",
      };
      const tokenEndpoint = "https://provider.example/token";
      const clientCredentials = { clientId: "client", clientSecret: oauth.clientSecret };
      const cases: readonly (readonly [method: string, given: object, elsewhere: object])[] = [
        ["AddGenericOAuthProvider", oauth, { tokenEndpoint: "https://evil.example/token" }],
        ["AddGenericOAuthProvider", oauth, { userEndpoint: "https://evil.example/user" }],
        ["AddGenericOIDCProvider", oidc, { issuer: "https://evil.example" }],
        ["AddEmailProviderSMTP", { ...mail, password: "S3cret-of-the-relay" }, { host: "evil.example:465" }],
        ["AddEmailProviderSMTP", { ...mail, password: "S3cret-of-the-relay" }, { tls: false }],
        [
          "AddEmailProviderSMTP",
          { ...mail, xoauth2: { tokenEndpoint, scopes: ["mail"], clientCredentials } },
          {
            xoauth2: {
              tokenEndpoint: "https://evil.example/token",
              scopes: ["mail"],
              clientCredentials: { clientId: "client", clientSecret: "redacted:1" },
            },
          },
        ],
      ];
      for (const [name, given, elsewhere] of cases) {
        const full = `service.admin.v1.AdminService/${name}`;
        await actions.set({ request: { method: `/${full}` } }, [target]);
        answerJson(receiver, ({ request }) => ({ ...request, ...elsewhere }));
        const refused = await server.connect(full, given);
        const what = `${name} ${JSON.stringify(elsewhere)}`;
        assert.equal(
          refused.body.details?.[0]?.debug?.id,
          "execution.failed",
          `${what}: ${JSON.stringify(refused.body)}`,
        );
        answerJson(receiver, ({ request }) =>
          "description" in request ? { ...request, description: "changed" } : { ...request, name: "changed" },
        );
        const taken = await server.connect(full, given);
        assert.equal(taken.status, 200, `${what}: ${JSON.stringify(taken.body)}`);
        await actions.set({ request: { method: `/${full}` } }, []);
      }
      assert.ok(!received().some((body) => body.includes("S3cret")));
    });

    await t.test("not even in two steps, the first of which removes the secret", async () => {
      const [first, second] = [
        await actions.createTarget(receiver.origin),
        await actions.createTarget(receiver.origin),
      ];
      const full = "service.admin.v1.AdminService/AddGenericOIDCProvider";
      const given = {
        name: "two steps",
        clientId: "client",
        clientSecret: "S3cret",
        issuer: "https://provider.example",
      };
      const answers = async (...made: ((request: object) => object)[]) => {
        await actions.set({ request: { method: `/${full}` } }, [first, second]);
        answerJson(receiver, ({ request }) => made.shift()?.(request) ?? request);
        const { status, body } = await server.connect(full, given);
        await actions.set({ request: { method: `/${full}` } }, []);
        return status === 200 ? "taken" : body.details?.[0]?.debug?.id;
      };
      const evil = "https://evil.example";
      const takeOut = (request: object) => ({ ...request, issuer: evil, clientSecret: "other" });
      const putBack = (request: object) => ({ ...request, clientSecret: "redacted:1" });
      assert.equal(await answers(takeOut, putBack), "execution.failed");
      const rename = (request: object) => ({ ...request, name: "renamed" });
      assert.equal(await answers(rename, rename), "taken");
    });

    await t.test("a response keeps its secrets from targets, and returns them to the caller", async () => {
      const target = await actions.createTarget(receiver.origin);
      await actions.set({ response: { all: true } }, [target]);
      answerJson(receiver, ({ response }) => response);
      const { body: robot } = await create({ organizationId, username: "robot", machine: { name: "robot" } });
      const expirationDate = "2100-01-01T00:00:00Z";
      const { body: pat } = await server.rest("POST", `/v2/users/${robot.id}/pats`, { body: { expirationDate } });
      const { body: added } = await server.rest("POST", `/v2/users/${robot.id}/secret`, { body: {} });
      const { body: key } = await server.rest("POST", `/v2/users/${robot.id}/keys`, { body: { expirationDate } });
      const { body: coded } = await create(person("five", { email: { email: "five@mail.example", returnCode: {} } }));
      const secrets = [pat.token, added.clientSecret, key.keyContent, coded.emailCode];
      for (const each of secrets) assert.ok(each?.length > 5 && !/redacted/.test(each), JSON.stringify(secrets));
      const userOf = await server.rest("GET", `/v2/users/${robot.id}`, { token: pat.token });
      assert.equal(userOf.status, 200, "the token that came through the target works");
      for (const each of secrets) assert.ok(!received().some((body) => body.includes(each)), each);
      assert.ok(received().some((body) => JSON.parse(body).response?.token === "redacted:1"));
      await actions.set({ response: { all: true } }, []);
    });

    await t.test("only an encrypted payload that a caller waits for has the secrets", async () => {
      const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const encrypted = async (kind: "restWebhook" | "restAsync") => {
        const target = await actions.createTarget(receiver.origin, { kind, payloadType: "JWE" });
        const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
        const { keyId } = await actions.call("AddPublicKey", {
          targetId: target.targetId,
          publicKey: Buffer.from(pem).toString("base64"),
        });
        await actions.call("ActivatePublicKey", { targetId: target.targetId, keyId });
        return target;
      };
      const next = async (before: number) => {
        for (let wait = 0; receiver.received.length === before; wait++) {
          assert.ok(wait < 400, "it arrives");
          await setTimeout(10);
        }
        return receiver.received.at(-1)?.body ?? "";
      };
      receiver.answer = (_request, response) => void response.end();
      for (const [kind, expected] of [
        ["restWebhook", password],
        ["restAsync", "redacted:1"],
      ] as const) {
        await actions.set({ request: method("CreateUser") }, [await encrypted(kind)]);
        const before = receiver.received.length;
        assert.equal((await create(person(`jwe-${kind}`))).status, 200);
        const { request } = await decrypted(await next(before), privateKey);
        assert.equal(request.human.password.password, expected, kind);
      }
      const signed = await actions.createTarget(receiver.origin, { kind: "restWebhook", payloadType: "JWT" });
      await actions.set({ request: method("CreateUser") }, [signed]);
      const before = receiver.received.length;
      assert.equal((await create(person("jwt"))).status, 200);
      const payload = decodeJwt<{ request: ReturnType<typeof person> }>(await next(before));
      assert.deepEqual(payload.request.human.password, { password: "redacted:1" });
    });

    const events = await server.app.domain.database.read.all<{ payload: string }>(sql`select payload from events`);
    assert.ok(events.length > 10 && !events.some(({ payload }) => payload.includes(password)), "nor has an event");
  });
});

// biome-ignore lint/suspicious/noExplicitAny: payloads are compared with what the test expects.
async function decrypted(body: string, privateKey: KeyObject): Promise<any> {
  const { plaintext } = await compactDecrypt(body, privateKey);
  return decodeJwt(Buffer.from(plaintext).toString());
}
