import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const inAnHour = (value: string | null): boolean => Number(value) > 0 && Number(value) <= 3600;

eachServer((start) => {
  test("a budget that is used up is told in the words of each transport, with when to come again", async (t) => {
    const server = await start(t, { config: { messageLimits: { email: 1000, sms: 100 } } });
    const ada = await addPerson(server, { username: "ada" });
    const reset = { userId: ada.userId, medium: { case: "sendLink", value: {} } } as const;
    const rest = () => server.rest("POST", `/v2/users/${ada.userId}/password_reset`, { body: { sendLink: {} } });
    for (let count = 0; count < 5; count++) assert.equal((await rest()).status, 200, "there is one left");
    const refused = await rest();
    assert.deepEqual([refused.status, refused.body.code, refused.body.details[0].id], [429, 8, "message.too_many"]);
    assert.ok(inAnHour(refused.headers.get("retry-after")));
    const json = await server.connect("service.user.v2.UserService/PasswordReset", {
      userId: ada.userId,
      sendLink: {},
    });
    assert.deepEqual([json.status, json.body.code], [429, "resource_exhausted"]);
    assert.ok(inAnHour(json.headers.get("retry-after")));
    const headers = { authorization: `Bearer ${server.ownerToken}` };
    for (const [name, transport] of Object.entries({
      Connect: createConnectTransport({ baseUrl: server.origin, httpVersion: "1.1", useBinaryFormat: true }),
      gRPC: createGrpcTransport({ baseUrl: server.origin }),
      "gRPC-Web": createGrpcWebTransport({ baseUrl: server.origin, httpVersion: "1.1" }),
    })) {
      const error = await createClient(UserService, transport)
        .passwordReset(reset, { headers })
        .catch((thrown: unknown) => thrown);
      assert.ok(error instanceof ConnectError, name);
      assert.equal(error.code, Code.ResourceExhausted, name);
      assert.ok(inAnHour(error.metadata.get("retry-after")), `${name}: ${JSON.stringify([...error.metadata])}`);
    }
  });
});
