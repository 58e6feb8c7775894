import assert from "node:assert/strict";
import { test } from "node:test";
import { type DescMethod, type DescService, type Message, toJsonString } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createClientFor } from "@zitadel/client";
import { ErrorDetailSchema } from "@zitadel/proto/zitadel/message_pb.js";
import { addOwner, startWithSystemUser } from "../../support/sdk/server.ts";
import { loadServices, requestOf } from "../../support/sdk/services.ts";
import { transportsTo } from "../../support/sdk/transports.ts";

/** Experiments that are not served (docs/clients.md). */
const unserved = /^zitadel\.(?:analytics\.v2beta|resources\.\w+\.v3alpha)\./;
/** How methods may refuse a request that names nothing. */
const refusals = new Set([
  Code.InvalidArgument,
  Code.NotFound,
  Code.PermissionDenied,
  Code.FailedPrecondition,
  Code.AlreadyExists,
]);
/** They end their caller, or the organization of their caller. */
const ending = /(?:AuthService\/RemoveMyUser|ManagementService\/(?:DeactivateOrg|RemoveOrg))$/;
/** What they answer stays as it is; the state of jobs does not. */
const reading = /^(?:Export|Get|Has|Is|List(?!Views)|Search)/;

/** Returns the answer as JSON, or how it was refused. */
async function ask(transport: Transport, service: DescService, method: DescMethod): Promise<string> {
  const client = createClientFor(service)(transport) as Record<string, (request: object) => Promise<Message>>;
  try {
    const call = client[method.localName] ?? assert.fail("there is no such method");
    return toJsonString(method.output, await call(requestOf(method)));
  } catch (error) {
    const refused = ConnectError.from(error);
    if (refused.code === Code.Unimplemented) return "unimplemented";
    const [detail] = refused.findDetails(ErrorDetailSchema);
    assert.ok(refusals.has(refused.code) && detail?.id, `${Code[refused.code]}: ${refused.message}`);
    return `${Code[refused.code]} ${detail.id}`;
  }
}

test("every method of @zitadel/client is answered, and the same over each transport", async (t) => {
  const { server, systemToken } = await startWithSystemUser(t);
  const ofOwner = transportsTo(server.origin, server.ownerToken);
  const ofSystem = transportsTo(server.origin, systemToken);
  /** Asks over each transport; a method that ends its caller has another one each time. */
  const askAll = async (service: DescService, method: DescMethod): Promise<readonly string[]> => {
    const name = `${service.typeName}/${method.name}`;
    const said: string[] = [];
    for (const by of Object.keys(ofOwner)) {
      const usual = service.typeName.includes(".system.") ? ofSystem : ofOwner;
      const transports = ending.test(name) ? transportsTo(server.origin, await addOwner(server)) : usual;
      const asked = ask(transports[by] ?? assert.fail(by), service, method);
      said.push(await asked.catch((cause: Error) => assert.fail(`${name} over ${by}: ${cause.message}`)));
    }
    return said;
  };
  const services = await loadServices();
  const missing: string[] = [];
  let count = 0;
  for (const service of services) {
    const found = new Set<string>();
    for (const method of service.methods) {
      assert.equal(method.methodKind, "unary");
      const said = await askAll(service, method);
      count += 1;
      const [first = ""] = said;
      found.add(first);
      // What one call changes, the next one finds changed.
      if (first.startsWith("{") && !reading.test(method.name)) continue;
      assert.deepEqual(new Set(said), new Set([first]), `${service.typeName}/${method.name}`);
    }
    if (!found.has("unimplemented")) continue;
    assert.equal(found.size, 1, `${service.typeName} is served in part`);
    missing.push(service.typeName);
  }
  assert.ok(count > 700, `${count} methods`);
  assert.deepEqual(
    missing,
    services.map(({ typeName }) => typeName).filter((name) => unserved.test(name)),
  );
  t.diagnostic(`${count} methods of ${services.length} services`);
});
