import assert from "node:assert/strict";
import { test } from "node:test";
import { services } from "@doorward/api/services";
import { credentials, Client as GrpcClient, Metadata } from "@grpc/grpc-js";
import { GrpcReflection } from "grpc-js-reflection-client";
import { startOidcServer } from "../../server/test/support/oidc/oidc.ts";

const reflectionServices = ["grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"];

for (const version of ["v1", "v1alpha"] as const) {
  test(`a third-party client reads the contract through reflection ${version} and calls a method that it found`, async (t) => {
    const server = await startOidcServer(t);
    const address = `localhost:${server.port}`;
    const reflection = new GrpcReflection(address, credentials.createInsecure(), undefined, version);
    const listed = await reflection.listServices();
    assert.deepEqual([...listed].sort(), [...Object.keys(services), ...reflectionServices].sort());
    const grpc = new GrpcClient(address, credentials.createInsecure());
    t.after(() => grpc.close());
    // The same under the alias: a client written for it finds its names.
    for (const word of ["service", "zitadel"]) {
      const root = (await reflection.getDescriptorBySymbol(`${word}.user.v2.UserService`)).getProtobufJsRoot();
      const method = root.lookupService(`${word}.user.v2.UserService`).methods["GetUserByID"];
      method?.resolve();
      assert.equal(method?.resolvedRequestType?.fullName, `.${word}.user.v2.GetUserByIDRequest`);
      const { resolvedRequestType: asked, resolvedResponseType: answered } = method;
      const metadata = new Metadata();
      metadata.set("authorization", `Bearer ${server.ownerToken}`);
      const answer = await new Promise((resolve, reject) =>
        grpc.makeUnaryRequest(
          `/${word}.user.v2.UserService/GetUserByID`,
          (request: object) => Buffer.from(asked.encode(request).finish()),
          (bytes: Buffer) => answered?.decode(bytes).toJSON(),
          { userId: server.user.userId },
          metadata,
          (error, response) => (error === null ? resolve(response) : reject(error)),
        ),
      );
      assert.equal((answer as { user: { userId: string } }).user.userId, server.user.userId);
    }
  });
}
