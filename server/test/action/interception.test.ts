import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { eachEngine } from "../support/databases/databases.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { actionsOf, answerJson, verified } from "./support/actions.ts";

const createUser = { request: { method: "/service.user.v2.UserService/CreateUser" } };
const createUserAnswer = { response: { method: "/service.user.v2.UserService/CreateUser" } };

/** A caller of CreateUser by each transport; gives the id of the user, or `<code> <slug>`. */
function transportsOf(server: TestServer, organizationId: string) {
  const machine = (username: string) => ({ organizationId, username, machine: { name: username } });
  const { origin: baseUrl, ownerToken } = server;
  const rpc =
    (transport: ReturnType<typeof createGrpcTransport>) =>
    async (username: string): Promise<string> => {
      const client = createClient(UserService, transport);
      const request = { organizationId, username, userType: { case: "machine", value: { name: username } } } as const;
      try {
        return (await client.createUser(request, { headers: { authorization: `Bearer ${ownerToken}` } })).id;
      } catch (error) {
        assert.ok(error instanceof ConnectError);
        return `${error.code} ${error.rawMessage}`;
      }
    };
  return {
    rest: async (username: string): Promise<string> => {
      const { body } = await server.rest("POST", "/v2/users/new", { body: machine(username) });
      return body.id ?? `${body.code} ${body.message}`;
    },
    connect: rpc(createConnectTransport({ baseUrl, httpVersion: "1.1" })),
    grpc: rpc(createGrpcTransport({ baseUrl })),
    "grpc-web": rpc(createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })),
  };
}

eachEngine((_open, engine) => {
  test("targets around the methods of the API", async (t) => {
    const server = await startServer(t, { engine });
    const organizationId = await defaultOrganization(server);
    const actions = actionsOf(server);
    const receiver = await startReceiver(t);
    const other = await startReceiver(t);
    const transports = Object.entries(transportsOf(server, organizationId));
    const byRest = transportsOf(server, organizationId).rest;
    const username = async (id: string): Promise<string> =>
      (await server.rest("GET", `/v2/users/${id}`)).body.user?.username ?? `no user: ${id}`;
    let count = 0;
    const fresh = (): string => `user-${++count}`;
    const slugOf = async (body: object): Promise<string> => {
      const answer = await server.rest("POST", "/v2/users/new", { body });
      return `${answer.status} ${answer.body.details?.[0]?.id ?? "created"}`;
    };
    const machine = () => {
      const name = fresh();
      return { organizationId, username: name, machine: { name } };
    };

    await t.test("whatever transport brings a request, a call target sees it signed and changes it", async () => {
      const target = await actions.createTarget(`${receiver.origin}/call`);
      await actions.set(createUser, [target]);
      for (const [transport, create] of transports) {
        answerJson(receiver, ({ request }) => ({ ...request, username: `${transport}-changed` }));
        const id = await create("given");
        assert.equal(await username(id), `${transport}-changed`, transport);
        const payload = verified(receiver.received.at(-1) as never, target.signingKey);
        assert.equal(payload.fullMethod, "/service.user.v2.UserService/CreateUser");
        assert.equal(payload.request.username, "given");
        assert.equal(payload.request.machine.name, "given");
        assert.ok(payload.userID !== "" && payload.instanceID !== "");
      }
      await actions.set(createUser, []);
    });

    await t.test("whatever transport takes an answer, a call target sees it and changes it", async () => {
      const target = await actions.createTarget(`${receiver.origin}/call`);
      await actions.set(createUserAnswer, [target]);
      for (const [transport, create] of transports) {
        answerJson(receiver, ({ response }) => ({ ...response, id: `${transport}-id` }));
        const name = fresh();
        assert.equal(await create(name), `${transport}-id`);
        const payload = verified(receiver.received.at(-1) as never, target.signingKey);
        assert.deepEqual([payload.request.username, typeof payload.response.id], [name, "string"]);
      }
      await actions.set(createUserAnswer, []);
    });

    await t.test(
      "a refusal of a target reaches the caller of every transport with its status and sentence",
      async () => {
        const target = await actions.createTarget(`${receiver.origin}/call`, { kind: "restWebhook" });
        await actions.set(createUser, [target]);
        answerJson(receiver, () => ({ forwardedStatusCode: 403, forwardedErrorMessage: "Not from here,\r\n {you}" }));
        for (const [transport, create] of transports) {
          assert.equal(await create(fresh()), "7 Not from here, {you}", transport);
        }
        const statuses: readonly [forwarded: unknown, status: number, slug: string][] = [
          [400, 400, "execution.refused"],
          [401, 401, "execution.refused"],
          [404, 404, "execution.refused"],
          [409, 409, "execution.refused"],
          [418, 400, "execution.refused"],
          [429, 429, "execution.refused"],
          [500, 400, "execution.refused"],
          [200, 400, "execution.refused"],
          [403.5, 400, "execution.refused"],
        ];
        for (const [forwardedStatusCode, status, slug] of statuses) {
          answerJson(receiver, () => ({ forwardedStatusCode }));
          assert.equal(await slugOf(machine()), `${status} ${slug}`, String(forwardedStatusCode));
        }
        await actions.set(createUser, []);
      },
    );

    await t.test(
      "what a target makes of a request is checked again, and runs with the rights of the caller",
      async () => {
        const target = await actions.createTarget(`${receiver.origin}/call`);
        await actions.set(createUser, [target]);
        const wrong: readonly [what: string, change: object, slug: string][] = [
          ["a wrong type", { username: 7 }, "400 execution.failed"],
          ["against the rules of the contract", { username: "x".repeat(300) }, "400 execution.failed"],
          ["another organization that is none", { organizationId: "1" }, "404 organization.not_found"],
        ];
        for (const [what, change, slug] of wrong) {
          answerJson(receiver, ({ request }) => ({ ...request, ...change }));
          assert.equal(await slugOf(machine()), slug, what);
        }
        answerJson(receiver, ({ request }) => ({ ...request, unknown: { field: 1 } }));
        assert.equal(await slugOf(machine()), "200 created", "fields that nobody knows are passed over");
        await actions.set(createUser, []);
      },
    );

    await t.test("strangers and invalid requests never reach a target", async () => {
      const target = await actions.createTarget(`${receiver.origin}/call`);
      await actions.set({ request: { all: true } }, [target]);
      const before = receiver.received.length;
      assert.equal((await server.rest("POST", "/v2/users/new", { body: machine(), token: null })).status, 401);
      assert.equal((await server.rest("POST", "/v2/users/new", { body: { username: 1 } })).status, 400);
      assert.equal(receiver.received.length, before);
      await actions.set({ request: { all: true } }, []);
      assert.equal(receiver.received.length, before, "nor do the methods that take a condition back");
    });

    await t.test(
      "the most specific condition counts, and its targets run in order, each on the result of the one before",
      async () => {
        const [one, two] = [
          await actions.createTarget(`${receiver.origin}/one`),
          await actions.createTarget(`${other.origin}/two`),
        ];
        answerJson(receiver, ({ request }) => ({ ...request, username: `${request.username}-one` }));
        answerJson(other, ({ request }) => ({ ...request, username: `${request.username}-two` }));
        const service = { request: { service: "zitadel.user.v2.UserService" } };
        await actions.set({ request: { all: true } }, [one]);
        await actions.set(service, [two]);
        const first = fresh();
        assert.equal(await username(await byRest(first)), `${first}-two`);
        assert.match(JSON.parse(other.received.at(-1)?.body ?? "").fullMethod, /^\/zitadel\./);
        await actions.set(createUser, [two, one]);
        const second = fresh();
        assert.equal(await username(await byRest(second)), `${second}-two-one`);
        for (const condition of [createUser, service, { request: { all: true } }]) await actions.set(condition, []);
        const third = fresh();
        assert.equal(await username(await byRest(third)), third);
      },
    );

    await t.test(
      "a target that fails stops the call where it interrupts and is passed over where it does not",
      async () => {
        const closed = await startReceiver(t);
        const hostile: readonly [what: string, endpoint: string, answer: Receiver["answer"]][] = [
          ["5xx", receiver.origin, (_request, response) => void response.writeHead(503).end("{}")],
          ["4xx", receiver.origin, (_request, response) => void response.writeHead(404).end("{}")],
          [
            "a page",
            receiver.origin,
            (_request, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
          ],
          ["an array", receiver.origin, (_request, response) => void response.end("[]")],
          ["a prototype", receiver.origin, (_request, response) => void response.end('{"__proto__":{"isAdmin":true}}')],
          [
            "deep",
            receiver.origin,
            (_request, response) => void response.end(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`),
          ],
          ["huge", receiver.origin, (_request, response) => void response.end(`{"a":"${"x".repeat(1_100_000)}"}`)],
          [
            "compressed",
            receiver.origin,
            (_request, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end("x"),
          ],
          ["never", receiver.origin, () => undefined],
          [
            "cut off",
            receiver.origin,
            (_request, response) =>
              void response.writeHead(200, { "content-length": "50" }).write("{", () => response.destroy()),
          ],
          [
            "sent to metadata",
            receiver.origin,
            (_request, response) => void response.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
          ],
          [
            "sent home",
            receiver.origin,
            (_request, response) => void response.writeHead(307, { location: closed.origin }).end(),
          ],
          ["metadata address", "http://169.254.169.254/latest", () => undefined],
          ["private address", "https://10.0.0.1/", () => undefined],
          ["no such port", "http://127.0.0.1:1/", () => undefined],
        ];
        for (const [what, endpoint, answer] of hostile) {
          receiver.answer = answer;
          // What becomes of a failure is decided in one place, so not every one of them has to be passed over.
          for (const interruptOnError of ["5xx", "never", "a page"].includes(what) ? [true, false] : [true]) {
            const target = await actions.createTarget(`${endpoint}`, { interruptOnError, timeout: "0.15s" });
            await actions.set(createUser, [target]);
            const expected = interruptOnError ? "400 execution.failed" : "200 created";
            assert.equal(await slugOf(machine()), expected, `${what}, ${interruptOnError}`);
            await actions.call("DeleteTarget", { id: target.targetId });
          }
        }
        assert.equal(closed.connections, 0, "redirects are not followed");
      },
    );

    await t.test("an answer of any content type is read, an empty one changes nothing", async () => {
      const target = await actions.createTarget(receiver.origin);
      await actions.set(createUser, [target]);
      receiver.answer = ({ body }, response) =>
        void response
          .writeHead(200, { "content-type": "text/plain" })
          .end(JSON.stringify({ ...JSON.parse(body).request, username: "from-text" }));
      assert.equal(await username(await byRest(fresh())), "from-text");
      receiver.answer = (_request, response) => void response.writeHead(204).end();
      const name = fresh();
      assert.equal(await username(await byRest(name)), name);
      await actions.set(createUser, []);
    });

    await t.test("the response body of a webhook is ignored", async () => {
      const target = await actions.createTarget(receiver.origin, { kind: "restWebhook" });
      await actions.set(createUser, [target]);
      for (const body of ["", "thanks", JSON.stringify({ username: "other" })]) {
        receiver.answer = (_request, response) => void response.end(body);
        const name = fresh();
        assert.equal(await username(await byRest(name)), name);
      }
      await actions.set(createUser, []);
    });

    await t.test("an async target is not waited for, and its call is delivered all the same", async () => {
      const target = await actions.createTarget(receiver.origin, { kind: "restAsync" });
      await actions.set(createUser, [target]);
      let release = (): void => {};
      const before = receiver.received.length;
      receiver.answer = (_request, response) => {
        release = () => void response.end();
      };
      const name = fresh();
      assert.equal(await username(await byRest(name)), name);
      for (let wait = 0; receiver.received.length === before; wait++) {
        assert.ok(wait < 400, "it arrives");
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      release();
      const payload = verified(receiver.received.at(-1) as never, target.signingKey);
      assert.equal(payload.request.username, name);
      await actions.set(createUser, []);
    });
  });
});
