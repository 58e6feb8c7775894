import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContractReference } from "../../src/api/index.ts";
import { createMethodHandler } from "../../src/pages/docs/method-document.ts";
import { createReferenceLibrary } from "../../src/rpc/index.ts";
import type { WebRequest } from "../../src/web/index.ts";
import { fetch } from "../support/http/fetch.ts";
import { startServer } from "../support/servers/server.ts";

const users = "service.user.v2.UserService";
const unknown = [
  [users, "x"],
  [users, "__proto__"],
  [users, "constructor"],
  ["service.user.v2.NoService", "CreateUser"],
] as const;

test("a method is read without the rest of its service, and what does not exist reads nothing", async (t) => {
  const server = await startServer(t);
  const whole = await createReferenceLibrary(server.app.methods).open();

  await t.test("each method has the types that it reaches, and no others", () => {
    for (const fullName of server.app.methods.keys()) {
      const [service = "", name = ""] = fullName.split("/");
      const { method, types } = whole.findMethod(service, name) ?? assert.fail(fullName);
      assert.equal(method.name, name);
      const reached = new Set([method.request, method.response]);
      for (const type of reached) {
        for (const { refersTo } of types[type]?.fields ?? []) if (refersTo !== undefined) reached.add(refersTo);
      }
      const described = [...reached].filter((type) => types[type] !== undefined);
      assert.deepEqual(Object.keys(types), described, fullName);
    }
    for (const [service, method] of unknown) assert.equal(whole.findMethod(service, method), undefined);
  });

  await t.test("no answer about a method reads a service", async () => {
    const reference: ContractReference = { ...whole, find: (name) => assert.fail(`${name} was read`) };
    const handle = createMethodHandler({ open: async () => reference });
    const ask = async (service: string, method: string) => {
      const request = {
        pathVariables: { service, method },
        instance: { origin: server.origin },
        header: () => undefined,
      };
      return (await handle(request as unknown as WebRequest)).status;
    };
    assert.equal(await ask(users, "CreateUser"), 200);
    for (const [service, method] of unknown) assert.equal(await ask(service, method), 404);
  });

  await t.test("the pages say so too", async () => {
    const open = async (path: string) => {
      const response = await fetch(server.origin + path);
      return { status: response.status, text: await response.text() };
    };
    const page = await open(`/docs/${users}/CreateUser`);
    assert.equal(page.status, 200);
    assert.deepEqual(await open("/docs/service%2Euser%2Ev2.UserService/CreateUser"), page);
    for (const [service, method] of unknown) {
      assert.equal((await open(`/docs/${service}/${method}`)).status, 404);
      assert.equal((await open(`/docs/contract/${service}/${method}`)).status, 404);
    }
  });
});
