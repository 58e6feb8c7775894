import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { stripTypeScriptTypes } from "node:module";
import { test } from "node:test";
import {
  create,
  type DescField,
  type DescMessage,
  type DescMethodUnary,
  getOption,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { secret } from "@doorward/api/service/option/v1/secret_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { toCommand } from "../../console/src/api/code/command.ts";
import { toCurl } from "../../console/src/api/code/curl.ts";
import { requestJson } from "../../console/src/api/code/plain.ts";
import { toTerraform } from "../../console/src/api/code/terraform.ts";
import { toTypeScript } from "../../console/src/api/code/typescript.ts";
import { toYaml } from "../../console/src/api/code/yaml.ts";

const origin = "https://id.example.com";
const hidden = "hunter2";
const odd = `it's "$(id)" \`id\` \\ ä`;

/** A message in which every text is odd, and every secret one that must not be shown. */
function filled(schema: DescMessage, depth = 0): Message {
  const message = create(schema);
  const target = reflect(schema, message);
  for (const field of schema.fields) {
    const value = depth > 4 ? undefined : valueFor(field, depth);
    if (value === undefined || field.fieldKind === "map") continue;
    if (field.fieldKind === "list") target.get(field).add(value as never);
    else target.set(field, value as never);
  }
  return message;
}

function valueFor(field: DescField, depth: number): unknown {
  const { message } = field;
  if (message !== undefined) {
    if (message.typeName.startsWith("google.protobuf.")) return undefined;
    return reflect(message, filled(message, depth + 1));
  }
  if (field.scalar === ScalarType.STRING) return getOption(field, secret) ? hidden : odd;
  if (field.scalar === ScalarType.BYTES) return new TextEncoder().encode(getOption(field, secret) ? hidden : odd);
  return field.scalar === ScalarType.BOOL ? true : undefined;
}

const methods = [SettingsService, UserService, ManagementService].flatMap(({ methods: all }) =>
  all.filter((method): method is DescMethodUnary => method.methodKind === "unary"),
);

test("calls as code keep secrets to themselves, and are what was meant to the shell and to the compiler", () => {
  assert.ok(methods.length > 300);
  const commands: { readonly command: string; readonly json: unknown }[] = [];
  const base64 = Buffer.from(hidden).toString("base64");
  for (const method of methods) {
    const call = { method, input: filled(method.input), organizationId: "1" };
    const json = requestJson(call);
    const [curl, code] = [toCurl(call, origin), toTypeScript(call, origin)];
    for (const shown of [curl, code, JSON.stringify(json), toYaml(json)]) {
      assert.ok(!shown.includes(hidden) && !shown.includes(base64), `${method.name} shows a secret`);
    }
    assert.ok(stripTypeScriptTypes(code).length > 0, method.name);
    if (curl.includes(`${method.parent.typeName}/`)) commands.push({ command: curl, json });
  }
  // A shell takes the body apart as it was put together.
  const script = `curl() { for last in "$@"; do :; done; printf '%s\\0' "$last"; }\n${commands.map(({ command }) => command).join("\n")}`;
  const bodies = execFileSync("sh", ["-c", script], { encoding: "utf8", env: {} }).split("\0").slice(0, -1);
  assert.deepEqual(
    bodies.map((body) => JSON.parse(body) as unknown),
    commands.map(({ json }) => json),
  );
  assert.ok(commands.length > 0);
});

test("a call of REST has its path, parameters and body, and a field that is turned off by a mask", () => {
  const { getUserByID, updateHumanUser } = UserService.method;
  const read = { method: getUserByID, input: create(getUserByID.input, { userId: "a/b" }), organizationId: "1" };
  assert.match(toCurl(read, origin), /^curl -sS 'https:\/\/id\.example\.com\/v2\/users\/a%2Fb' \\\n/);
  const change = { method: updateHumanUser, input: create(updateHumanUser.input, { userId: "7", username: "ada" }) };
  assert.match(
    toCurl({ ...change, organizationId: "1" }, origin),
    /-X PUT .*\/v2\/users\/human\/7' [\s\S]*"username": "ada"/,
  );
  const { getLoginSettings, updateLoginSettings } = SettingsService.method;
  const ctx = { resourceOwner: { case: "orgId", value: "7" } } as const;
  const settings = { method: getLoginSettings, input: create(getLoginSettings.input, { ctx }), organizationId: "7" };
  assert.match(toCurl(settings, origin), /\/v2\/settings\/login\?ctx\.orgId=7'/);
  const input = create(updateLoginSettings.input, { ctx, settings: {}, updateMask: { paths: ["force_mfa"] } });
  const off = { method: updateLoginSettings, input, organizationId: "7" };
  assert.match(toCurl(off, origin), /"forceMfa": false/);
  assert.match(toTypeScript(off, origin), /forceMfa: false,/);
});

test("a name that a tenant chose is a text to Terraform and to the shell", () => {
  const { getProject } = ProjectService.method;
  const name = `\${file("/etc/passwd")} %{ for x in [1] }"$(id)" it's`;
  const input = create(getProject.input, { projectId: "1" });
  const output = create(getProject.output, { project: { name } });
  const code = toTerraform({ method: getProject, input, output, organizationId: "1" }) ?? "";
  // HCL, "Template expressions": `$${` and `%%{` are the characters themselves.
  assert.ok(code.includes(`"$\${file(\\"/etc/passwd\\")} %%{ for x in [1] }\\"$(id)\\" it's"`), code);
  assert.doesNotMatch(code, /(?<!\$)\$\{|(?<!%)%\{/);
  const { updateApplication } = ApplicationService.method;
  const change = create(updateApplication.input, { applicationId: "1", name });
  const command = toCommand({ method: updateApplication, input: change, organizationId: "1" }, origin) ?? "";
  const shown = execFileSync("sh", ["-c", `doorward() { printf '%s\\0' "$@"; }\n${command}`], {
    encoding: "utf8",
    env: {},
  });
  assert.ok(shown.split("\0").includes(name), shown);
});
