import assert from "node:assert/strict";
import { test } from "node:test";
import { create, createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponse,
} from "@doorward/api/grpc/reflection/v1/reflection_pb";
import { services } from "@doorward/api/services";
import { startServer, type TestServer } from "../support/servers/server.ts";

type Question = ServerReflectionRequest["messageRequest"];

/** Asks in one conversation. */
async function ask({ origin }: TestServer, questions: readonly Question[]): Promise<ServerReflectionResponse[]> {
  const client = createClient(ServerReflection, createGrpcTransport({ baseUrl: origin }));
  async function* send() {
    for (const messageRequest of questions) yield { host: "asked", messageRequest };
  }
  const answers: ServerReflectionResponse[] = [];
  for await (const answer of client.serverReflectionInfo(send())) answers.push(answer);
  return answers;
}

function filesOf({ messageResponse }: ServerReflectionResponse): FileDescriptorProto[] {
  assert.equal(messageResponse.case, "fileDescriptorResponse", JSON.stringify(messageResponse.value));
  assert.ok(messageResponse.case === "fileDescriptorResponse");
  return messageResponse.value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
}

const symbol = (value: string): Question => ({ case: "fileContainingSymbol", value });
const file = (value: string): Question => ({ case: "fileByFilename", value });

test("reflection", async (t) => {
  const server = await startServer(t);

  await t.test("finds the file of what is declared, at the top and inside, in both words", async () => {
    const expected = {
      "service.user.v2.UserService": "service/user/v2/user_service.proto",
      "service.user.v2.UserService.ListUsers": "service/user/v2/user_service.proto",
      "service.user.v2.CreateUserRequest.Human": "service/user/v2/user_operations.proto",
      "service.user.v2.CreateUserRequest.Human.profile": "service/user/v2/user_operations.proto",
      "service.user.v2.CreateUserRequest.user_type": "service/user/v2/user_operations.proto",
      "service.option.v1.access": "service/option/v1/access.proto",
      "google.protobuf.Timestamp": "google/protobuf/timestamp.proto",
      "grpc.reflection.v1alpha.ServerReflection": "grpc/reflection/v1alpha/reflection.proto",
      "zitadel.user.v2.UserService": "zitadel/user/v2/user_service.proto",
      "zitadel.user.v2.CreateUserRequest.Human": "zitadel/user/v2/user_operations.proto",
    };
    for (const [name, path] of Object.entries(expected)) {
      const [answer] = await ask(server, [symbol(name)]);
      assert.equal(answer && filesOf(answer)[0]?.name, path, name);
    }
  });

  await t.test("answers not_found, and nothing else, for unknown names", async () => {
    const unknown = [
      "",
      ".",
      "service",
      "service.user.v2",
      "service.user.v2.Nobody",
      "service.user.v2.UserService.Nothing",
      "service.user.v2.UserService.ListUsers.more",
      "service.user.v2.CreateUserRequest.Human.nothing",
      "other.user.v2.UserService",
      "__proto__",
      "constructor",
      "a.".repeat(5000),
    ].map(symbol);
    const paths = ["", "service/user/v2", "../package.json", "service/user/v2/../v2/user.proto", "/etc/passwd"].map(
      file,
    );
    const number = { case: "fileContainingExtension", value: { containingType: "google.protobuf.MethodOptions" } };
    const questions = [...unknown, ...paths, number as Question];
    const answers = await ask(server, questions);
    assert.equal(answers.length, questions.length);
    for (const [index, { messageResponse }] of answers.entries()) {
      assert.ok(messageResponse.case === "errorResponse", JSON.stringify(questions[index]));
      assert.equal(messageResponse.value.errorCode, 5);
    }
    const [nothing] = await ask(server, [{ case: undefined }]);
    assert.ok(nothing?.messageResponse.case === "errorResponse");
    assert.equal(nothing.messageResponse.value.errorCode, 3);
  });

  await t.test("knows the extensions", async () => {
    const containingType = "google.protobuf.MethodOptions";
    const [numbers, http] = await ask(server, [
      { case: "allExtensionNumbersOfType", value: containingType },
      { case: "fileContainingExtension", value: { containingType, extensionNumber: 72295728 } } as Question,
    ]);
    assert.ok(numbers?.messageResponse.case === "allExtensionNumbersResponse");
    assert.deepEqual(numbers.messageResponse.value.extensionNumber.sort(), [50000, 50001, 72295728]);
    assert.equal(http && filesOf(http)[0]?.name, "google/api/annotations.proto");
  });

  await t.test("repeats the question, and sends no import twice in a conversation", async () => {
    const asked = "service.webkey.v2.WebKeyService";
    const [first, second] = await ask(server, [symbol(asked), symbol(asked)]);
    assert.ok(first !== undefined && second !== undefined);
    assert.equal(first.validHost, "asked");
    assert.deepEqual(first.originalRequest?.messageRequest, symbol(asked));
    assert.ok(filesOf(first).length > 3);
    assert.deepEqual(
      filesOf(second).map(({ name }) => name),
      ["service/webkey/v2/webkey_service.proto"],
    );
  });

  for (const word of ["service", "zitadel"]) {
    await t.test(`gives all services with everything they need, as ${word}`, async () => {
      const names = Object.keys(services).map((name) => name.replace(/^service/, word));
      const files = new Map(
        (await ask(server, names.map(symbol))).flatMap(filesOf).map((found) => [found.name, found]),
      );
      // Building the registry fails when a type or an import is missing or is named in another word.
      const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: inOrder(files) }));
      for (const name of names) assert.ok((registry.getService(name)?.methods.length ?? 0) > 0, name);
      const other = word === "service" ? "zitadel" : "service";
      assert.deepEqual(
        [...files.keys()].filter((name) => name.startsWith(`${other}/`)),
        [],
      );
    });
  }
});

test("without aliases only our own word is known", async (t) => {
  const server = await startServer(t, { config: { namespaceAliases: [] } });
  const [answer] = await ask(server, [symbol("zitadel.user.v2.UserService")]);
  assert.equal(answer?.messageResponse.case, "errorResponse");
});

/** Files after what they import. */
function inOrder(files: ReadonlyMap<string, FileDescriptorProto>): FileDescriptorProto[] {
  const ordered = new Set<FileDescriptorProto>();
  const add = (found: FileDescriptorProto | undefined): void => {
    assert.ok(found !== undefined, "an import was not sent");
    if (ordered.has(found)) return;
    for (const name of found.dependency) add(files.get(name));
    ordered.add(found);
  };
  for (const found of files.values()) add(found);
  return [...ordered];
}

test("a stream of reflection has an end, and the streams of a source are counted", async (t) => {
  const limits = { authorization: 0, token: 0, introspection: 0, login: 0, signUp: 0, registration: 0, keys: 4 };
  const server = await startServer(t, { config: { rateLimits: limits } });
  const isExhausted = (error: unknown) => error instanceof ConnectError && error.code === Code.ResourceExhausted;
  const whole = Array.from({ length: 400 }, () => symbol("zitadel.management.v1.ManagementService"));
  const started = process.cpuUsage();
  await assert.rejects(ask(server, whole), isExhausted, "many large answers");
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 2_000_000, `${user + system} µs for a stream`);
  const small = Array.from({ length: 2001 }, () => symbol("service.user.v2.UserService.None"));
  await assert.rejects(ask(server, small), isExhausted, "many small answers");
  assert.equal((await ask(server, [symbol("service.user.v2.UserService")])).length, 1, "another stream is answered");
  await ask(server, [symbol("service.user.v2.UserService")]);
  await assert.rejects(ask(server, [symbol("service.user.v2.UserService")]), isExhausted, "the fifth of a minute");
  server.clock.now += 60_000;
  assert.equal((await ask(server, [symbol("service.user.v2.UserService")])).length, 1);
});
