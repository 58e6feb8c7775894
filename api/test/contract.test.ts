import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import {
  clone,
  create,
  createFileRegistry,
  type DescFile,
  type DescMessage,
  type DescService,
  getOption,
  setExtension,
} from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Type,
  FieldOptionsSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  MethodOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import { contractProblems, routesOf } from "../check-contract.ts";
import { harmless, soundsSecret } from "../secret-names.ts";
import { http } from "../src/google/api/annotations_pb.js";
import { HttpRuleSchema } from "../src/google/api/http_pb.js";
import { earlierMethods, methods } from "../src/methods.js";
import { AccessSchema, access } from "../src/service/option/v1/access_pb.js";
import { RulesSchema, rules, StringRulesSchema } from "../src/service/option/v1/rules_pb.js";
import { secret } from "../src/service/option/v1/secret_pb.js";
import { services } from "../src/services.js";

const source = join(import.meta.dirname, "../src");
let files: readonly DescFile[];
let descriptors: readonly DescService[];

before(async () => {
  const modules = await Promise.all(globSync("**/*_pb.js", { cwd: source }).map((name) => import(join(source, name))));
  files = modules
    .flatMap((exports) => Object.values(exports))
    .filter(isFile)
    .filter(({ name }) => !name.startsWith("grpc/"));
  descriptors = files.flatMap((file) => file.services);
});

const isFile = (value: unknown): value is DescFile =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "file";

describe("the contract", () => {
  test("has access options, paths and rules that fit what they stand on", () => {
    assert.ok(files.length > 200, "all files were read");
    assert.deepEqual(contractProblems(files), []);
  });

  test("marks every field that sounds like a secret, or says why it is none (A29)", () => {
    const nested = (message: DescMessage): DescMessage[] => [message, ...message.nestedMessages.flatMap(nested)];
    const fields = files.flatMap((file) => file.messages.flatMap(nested)).flatMap((message) => message.fields);
    assert.ok(fields.filter((field) => getOption(field, secret)).length > 150, "secrets are marked");
    for (const { fields: names, reason } of harmless) {
      const meant = fields.filter(
        (field) => soundsSecret(field) && names.test(`${field.parent.typeName}.${field.name}`),
      );
      assert.ok(meant.length > 0, `nothing is meant by ${names}`);
      assert.ok(reason.length > 5);
    }
  });

  test("lists every method in its table, with the same routes as the descriptors", () => {
    const described = descriptors.flatMap((service) =>
      service.methods.map((method) => [`${service.typeName}/${method.name}`, routesOf(method)] as const),
    );
    const listed = [...methods, ...earlierMethods].map(
      ({ service, method, routes }) =>
        [`${service}/${method}`, routes.map(({ verb, path }) => `${verb} ${path}`)] as const,
    );
    assert.ok(listed.length > 700);
    assert.deepEqual(new Map(listed), new Map(described));
  });

  test("loads every service by its name", async () => {
    assert.equal(Object.keys(services).length, descriptors.length);
    for (const [name, load] of Object.entries(services)) assert.equal((await load()).typeName, name);
  });
});

describe("a contract check", () => {
  const path = "service/webkey/v2/webkey_service.proto";

  /** The problems of a file after `change` was made to it. */
  function problemsAfter(change: (file: FileDescriptorProto) => void, name = path): readonly string[] {
    const byName = new Map(
      files.flatMap((file) => [file, ...file.dependencies]).map((file) => [file.proto.name, file]),
    );
    const file = byName.get(name);
    assert.ok(file);
    const changed = clone(FileDescriptorProtoSchema, file.proto);
    change(changed);
    const found = createFileRegistry(changed, (imported) => byName.get(imported)).getFile(name);
    assert.ok(found);
    return contractProblems([found]);
  }

  const firstMethod = (file: FileDescriptorProto) => {
    const method = file.service[0]?.method[0];
    assert.ok(method);
    method.options ??= create(MethodOptionsSchema);
    return { method, options: method.options };
  };

  test("finds nothing wrong when nothing was changed", () => {
    assert.deepEqual(
      problemsAfter(() => undefined),
      [],
    );
  });

  test("finds a method without access option", () => {
    const problems = problemsAfter((file) => {
      firstMethod(file).method.options = create(MethodOptionsSchema);
    });
    assert.deepEqual(problems, ["service.webkey.v2.WebKeyService.CreateWebKey has no access option"]);
  });

  test("finds an access option that is switched off", () => {
    const problems = problemsAfter((file) => {
      const off = create(AccessSchema, { requirement: { case: "open", value: false } });
      setExtension(firstMethod(file).options, access, off);
    });
    assert.match(problems.join(), /says open without a value/);
  });

  test("finds a check on a field that the request has not", () => {
    const problems = problemsAfter((file) => {
      const misled = { requirement: { case: "permission", value: "a.read" }, checkField: "project_id" } as const;
      setExtension(firstMethod(file).options, access, create(AccessSchema, misled));
    });
    assert.match(problems.join(), /names project_id, which is not a field/);
  });

  test("finds a path variable that the request has not", () => {
    const problems = problemsAfter((file) => {
      const rule = create(HttpRuleSchema, { pattern: { case: "get", value: "/v2/nothing/{thing}" } });
      setExtension(firstMethod(file).options, http, rule);
    });
    assert.match(problems.join(), /GET \/v2\/nothing\/\{thing\} names thing/);
  });

  test("finds two methods on one verb and path, whatever their variables are called", () => {
    const problems = problemsAfter((file) => {
      for (const method of file.service[0]?.method ?? []) {
        if (method.name !== "ActivateWebKey" && method.name !== "DeleteWebKey") continue;
        method.options ??= create(MethodOptionsSchema);
        setExtension(method.options, http, create(HttpRuleSchema, { pattern: { case: "post", value: "/keys/{id}" } }));
      }
    });
    assert.match(problems.join(), /DeleteWebKey and .*ActivateWebKey share POST \/keys\/\{id\}/);
  });

  test("finds an own field that a change would reset when a client does not know it", () => {
    const problems = problemsAfter((file) => {
      const { method } = firstMethod(file);
      method.name = "UpdateWebKey";
      method.inputType = ".service.application.v2.CreateOIDCApplicationRequest";
      file.dependency.push("service/application/v2/oidc.proto");
    });
    assert.match(problems.join("\n"), /UpdateWebKey: .*\.narrow_audience is an own field and not optional/);
  });

  test("finds string rules on an enumeration", () => {
    const operations = "service/webkey/v2/web_key.proto";
    const problems = problemsAfter((file) => {
      const field = file.messageType.find(({ name }) => name === "RSA")?.field[0];
      assert.ok(field);
      field.options = create(FieldOptionsSchema);
      const misplaced = create(RulesSchema, { kind: { case: "string", value: create(StringRulesSchema, { len: 1 }) } });
      setExtension(field.options, rules, misplaced);
    }, operations);
    assert.deepEqual(problems, ["service.webkey.v2.RSA.bits: string rules on another type"]);
  });

  test("finds a field that sounds like a secret and is not marked, and marks on what is none (A29)", () => {
    const rename = (name: string, mark: boolean, type?: FieldDescriptorProto_Type) =>
      problemsAfter((file) => {
        const field = file.messageType.find(({ name: message }) => message === "RSA")?.field[0];
        assert.ok(field);
        field.name = name;
        field.typeName = "";
        field.type = type ?? FieldDescriptorProto_Type.STRING;
        field.options = create(FieldOptionsSchema);
        if (mark) setExtension(field.options, secret, true);
      }, "service/webkey/v2/web_key.proto");
    for (const name of ["client_secret", "new_password", "verification_code", "session_token", "private_key"]) {
      assert.deepEqual(rename(name, false), [
        `service.webkey.v2.RSA.${name} sounds like a secret and has no secret option`,
      ]);
      assert.deepEqual(rename(name, true), []);
    }
    assert.deepEqual(rename("public_key", false), []);
    assert.match(rename("public_key", true).join(), /listed as harmless and has the secret option/);
    assert.match(rename("code", true, FieldDescriptorProto_Type.INT32).join(), /on a type that holds none/);
  });
});
