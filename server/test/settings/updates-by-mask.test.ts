import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

interface Document {
  readonly path: string;
  /** Where version 1 has the same document, of the instance and of an organization. */
  readonly first: string;
  readonly message: DescMessage;
  readonly isForOrganizations: boolean;
}

const { method } = SettingsService;
const document = (path: string, first: string, { input }: { readonly input: DescMessage }): Document => ({
  path: `/v2/settings/${path}`,
  first,
  message: input.field["settings"]?.message as DescMessage,
  isForOrganizations: input.field["ctx"] !== undefined,
});

const documents: readonly Document[] = [
  document("login", "policies/login", method.updateLoginSettings),
  document("password/complexity", "policies/password/complexity", method.updatePasswordComplexitySettings),
  document("password/expiry", "policies/password/age", method.updatePasswordExpirySettings),
  document("lockout", "policies/lockout", method.updateLockoutSettings),
  document("domain", "policies/domain", method.updateDomainSettings),
  document("legal_support", "policies/privacy", method.updateLegalAndSupportSettings),
  document("notification", "policies/notification", method.updateNotificationSettings),
  document("branding", "policies/label", method.updateBrandingSettings),
  document("security", "policies/security", method.updateSecuritySettings),
  document("oidc", "settings/oidc", method.updateOIDCSettings),
];

/** What a field cannot do by a mask, because it says where settings are from, is an upload, or has a newer name. */
const aside = ["resource_owner_type", "allow_username_password", "logo_url", "icon_url", "font_url"];
/** Fields that version 1 does not have. */
const isNewer = /^(?:dynamic_|client_id_|claim_|skip_consent)/;

/** Values that a field does not have on a new instance. */
const others: Readonly<Record<string, unknown>> = {
  second_factors: ["SECOND_FACTOR_TYPE_OTP", "SECOND_FACTOR_TYPE_OTP_EMAIL"],
  multi_factors: [],
  passkeys_type: "PASSKEYS_TYPE_NOT_ALLOWED",
  layout: "LOGIN_LAYOUT_COMBINED",
  theme_mode: "THEME_MODE_DARK",
  support_email: "help@example.com",
  custom_link_text: "Status",
  allowed_origins: ["https://portal.example"],
  allowed_urls: ["https://client.example/id"],
  claim_namespaces: ["service"],
  expire_warn_days: 2,
};

function valueFor(field: DescField): unknown {
  if (field.name in others) return others[field.name];
  if (field.message !== undefined) return `${7200 + field.number}s`;
  if (field.scalar === undefined) throw new Error(`no value for ${field.name}`);
  if (field.name.endsWith("_color")) return "#123456";
  return /link|uri/.test(field.name) ? `https://${field.name.replaceAll("_", "-")}.example/` : 20 + field.number;
}

interface Field {
  readonly mask: string;
  readonly path: string;
  readonly parents: readonly string[];
  readonly field: DescField;
}

const fieldsOf = (message: DescMessage, parents: readonly DescField[] = []): Field[] =>
  message.fields
    .filter(({ name }) => !aside.includes(name))
    .flatMap((field) => {
      const inner = field.message;
      if (inner !== undefined && !inner.typeName.startsWith("google.")) return fieldsOf(inner, [...parents, field]);
      const names = [...parents, field];
      const mask = names.map(({ jsonName }) => jsonName).join(".");
      const path = names.map(({ name }) => name).join(".");
      return [{ mask, path, parents: parents.map(({ jsonName }) => jsonName), field }];
    });

type Json = Record<string, unknown>;

function flatten(value: Json, before = ""): Map<string, unknown> {
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? [...flatten(inner as Json, `${before}${name}.`)]
      : [[before + name, inner]],
  );
  return new Map(entries.filter(([name]) => !/^(?:resourceOwnerType|details\.|isDefault|allowUsername.*)/.test(name)));
}

const changed = (before: Json, after: Json): string[] => {
  const [left, right] = [flatten(before), flatten(after)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names.filter((name) => JSON.stringify(left.get(name)) !== JSON.stringify(right.get(name)));
};

/** Reads and changes a document at one level. */
function handsOf(server: TestServer, { path, first }: Document, organizationId: string | undefined) {
  const ctx = organizationId === undefined ? { instance: true } : { orgId: organizationId };
  const query = organizationId === undefined ? "ctx.instance=true" : `ctx.orgId=${organizationId}`;
  const isOfInstance = /security|oidc/.test(path);
  const headers = organizationId === undefined ? {} : { "x-service-orgid": organizationId };
  const service = organizationId === undefined ? "admin" : "management";
  return {
    get: async () => (await server.rest("GET", isOfInstance ? path : `${path}?${query}`)).body,
    getFirst: async (): Promise<Json> => {
      const { body } = await server.rest("GET", `/${service}/v1/${first}`, { headers });
      // The active look has no details of its own.
      return body.policy ?? body.settings;
    },
    update: (settings: object, updateMask: string, more: object = {}, token?: string) =>
      server.rest("PATCH", path, {
        body: { ...(isOfInstance ? {} : { ctx }), settings, updateMask, ...more },
        ...(token !== undefined && { token }),
      }),
    reset: () => server.rest("DELETE", `${path}?${query}`),
  };
}

const nest = (parents: readonly string[], name: string, value: unknown): Json =>
  parents.reduceRight<Json>((inner, parent) => ({ [parent]: inner }), { [name]: value });

async function changeEach(server: TestServer, each: Document, organizationId: string | undefined): Promise<void> {
  const hands = handsOf(server, each, organizationId);
  for (const { mask, path, parents, field } of fieldsOf(each.message)) {
    const [before, first] = [(await hands.get()).settings as Json, await hands.getFirst()];
    const present = flatten(before).get(mask);
    const value = typeof present === "boolean" ? !present : valueFor(field);
    // Everything else in the message is off or empty: the mask alone decides.
    const { status, body } = await hands.update(nest(parents, field.jsonName, value), mask);
    if (path === "allow_local_authentication") {
      assert.equal(body.details[0].id, "settings.login.no_first_factor");
      continue;
    }
    assert.equal(status, 200, `${each.path} ${path}: ${JSON.stringify(body)}`);
    const after = (await hands.get()).settings as Json;
    assert.deepEqual(changed(before, after), [mask], `${each.path} ${path}`);
    assert.deepEqual(body.settings, after);
    const firstChanged = changed(first, await hands.getFirst());
    assert.equal(firstChanged.length, isNewer.test(path) ? 0 : 1, `${each.path} ${path}: ${firstChanged.join()}`);
  }
}

eachServer((start) => {
  test("a mask of one field changes this field and no other, at both levels, in every document", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Acme");
    for (const each of documents) {
      if (each.isForOrganizations) await changeEach(server, each, organizationId);
      await changeEach(server, each, undefined);
      if (!each.isForOrganizations) continue;
      const hands = handsOf(server, each, organizationId);
      const own = await hands.get();
      assert.equal(own.settings.resourceOwnerType, "RESOURCE_OWNER_TYPE_ORG", each.path);
      assert.equal(own.origin.inheritedFields, "");
      const reset = await hands.reset();
      assert.equal(reset.status, 200, JSON.stringify(reset.body));
      const inherited = await hands.get();
      assert.deepEqual(reset.body.settings, inherited.settings);
      assert.deepEqual(inherited.settings, (await handsOf(server, each, undefined).get()).settings);
      assert.deepEqual([inherited.origin.ownFields, inherited.origin.differingFields], ["", ""]);
      assert.equal(inherited.origin.inheritedFields, own.origin.ownFields);
      assert.equal((await hands.reset()).status, 200, "there is nothing to reset");
    }
  });

  test("files of the branding are uploads, which no mask changes", async (t) => {
    const server = await start(t);
    for (const name of ["logoUrl", "iconUrl", "fontUrl"]) {
      const settings = { lightTheme: { [name]: "https://other.example/a" }, [name]: "https://other.example/a" };
      for (const mask of [name, `lightTheme.${name}`]) {
        const one = mask === name ? { [name]: settings[name as "logoUrl"] } : { lightTheme: settings.lightTheme };
        const { status } = await server.connect("service.settings.v2.SettingsService/UpdateBrandingSettings", {
          ctx: { instance: true },
          settings: one,
          updateMask: mask,
        });
        assert.equal(status, 400, mask);
      }
    }
  });

  test("preconditions, refused masks, and who may change which level", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Acme");
    const person = await addPerson(server, { username: "olga", organizationId });
    await appoint(server, person, { organizationId }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, person);
    const [login, complexity, domain] = [documents[0], documents[1], documents[4]] as [Document, Document, Document];
    const ofInstance = handsOf(server, login, undefined);
    const ofOrganization = handsOf(server, login, organizationId);
    const detail = ({ body }: { body: { details?: Json[] } }) => body.details?.[0] ?? {};

    await t.test("a mask names something, and only what there is", async () => {
      assert.equal(detail(await ofInstance.update({}, ""))["id"], "field.required");
      const unknown = detail(await ofInstance.update({}, "forceMfaLocal"));
      assert.equal(unknown["id"], "settings.field_unknown");
      assert.match(String(unknown["message"]), /force_mfa_local_only/);
      assert.equal(detail(await ofInstance.update({}, "resourceOwnerType"))["id"], "settings.field_unknown");
      const short = await handsOf(server, complexity, undefined).update({ minLength: 3 }, "minLength");
      assert.equal(detail(short)["id"], "settings.password.min_length_invalid");
      const levelless = await server.rest("PATCH", login.path, { body: { updateMask: "layout" } });
      assert.equal(detail(levelless)["id"], "field.required");
      assert.equal(detail(await ofInstance.reset())["id"], "field.required");
      const shown = await ofInstance.get();
      assert.equal((await ofInstance.update({}, "layout,mfaInitSkipLifetime")).status, 200, "the defaults");
      assert.deepEqual((await ofInstance.get()).origin, shown.origin, "nothing changed");
    });

    await t.test("a change of what was read before is refused, and says what moved", async () => {
      assert.equal((await ofInstance.update({ hidePasswordReset: true }, "hidePasswordReset")).status, 200);
      assert.equal((await ofInstance.update({ hidePasswordReset: false }, "hidePasswordReset")).status, 200);
      const read = await ofOrganization.get();
      assert.equal(read.origin.ownFields, "");
      const etag = read.origin.etag as string;
      assert.equal((await ofInstance.update({ disableLoginWithPhone: true }, "disableLoginWithPhone")).status, 200);
      const inherited = await ofOrganization.update({ hidePasswordReset: true }, "hidePasswordReset", { etag });
      assert.equal(inherited.body.code, 9);
      const { "@type": type, id, message, changedFields, changedBy, etag: now } = detail(inherited);
      assert.match(String(type), /SettingsChangedError$/);
      assert.deepEqual([id, changedFields, changedBy], ["settings.changed", "disableLoginWithPhone", undefined]);
      assert.match(String(message), /disable_login_with_phone/);
      const first = await ofOrganization.update({ hidePasswordReset: true }, "hidePasswordReset", { etag: now }, token);
      assert.equal(first.status, 200, JSON.stringify(first.body));
      assert.equal(first.body.origin.differingFields, "hidePasswordReset");
      const second = await ofOrganization.update({ allowRegister: false }, "allowRegister", { etag: now });
      const moved = detail(second);
      assert.deepEqual([moved["changedFields"], moved["changedBy"]], ["hidePasswordReset", person.userId]);
      assert.equal(moved["etag"], first.body.origin.etag);
      assert.equal((await ofOrganization.get()).settings.allowRegister, true);
      const connect = await server.connect("service.settings.v2.SettingsService/UpdateLoginSettings", {
        ctx: { orgId: organizationId },
        updateMask: "allowRegister",
        etag: "another-1",
      });
      assert.equal(connect.body.code, "failed_precondition");
      assert.equal(connect.body.details[0].debug.etag, first.body.origin.etag);
    });

    await t.test(
      "of two that begin a document at once both changes hold, and of two that read the same one",
      async () => {
        const hands = handsOf(server, complexity, organizationId);
        await Promise.all([
          hands.update({ requiresNumber: true }, "requiresNumber"),
          hands.update({ requiresSymbol: true }, "requiresSymbol"),
        ]);
        const { settings } = await hands.get();
        assert.deepEqual([settings.requiresNumber, settings.requiresSymbol], [true, true]);
        await hands.reset();
        const { etag } = (await hands.get()).origin;
        const answers = await Promise.all([
          hands.update({ requiresNumber: true }, "requiresNumber", { etag }),
          hands.update({ requiresSymbol: true }, "requiresSymbol", { etag }),
        ]);
        assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
      },
    );

    await t.test("owners of an organization change what is theirs", async () => {
      assert.equal((await ofOrganization.update({ allowRegister: true }, "allowRegister", {}, token)).status, 200);
      assert.equal((await ofInstance.update({ allowRegister: true }, "allowRegister", {}, token)).status, 403);
      const proof = { requireOrgDomainVerification: false };
      const own = handsOf(server, domain, organizationId);
      assert.equal((await own.update(proof, "requireOrgDomainVerification", {}, token)).status, 403);
      const security = handsOf(server, documents[8] as Document, undefined);
      const given = { enableImpersonation: true };
      assert.equal((await security.update(given, "enableImpersonation", {}, token)).status, 403);
      const elsewhere = await addOrganization(server, "Elsewhere");
      const theirs = await handsOf(server, login, elsewhere).update({ layout: 2 }, "layout", {}, token);
      assert.equal(detail(theirs)["id"], "organization.not_found");
    });
  });
});
