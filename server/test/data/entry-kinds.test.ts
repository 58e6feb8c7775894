import assert from "node:assert/strict";
import { test } from "node:test";
import { create, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { DataOrgSchema } from "@doorward/api/service/admin/v1/data_pb";
import { DataOrgSchema as FirstDataOrgSchema } from "@doorward/api/service/v1/v1/data_pb";
import type { OtherCall, PerformOther, PerformTogether } from "../../src/api/index.ts";
import { fromFirstFormat } from "../../src/api/v1/admin/data/first-format.ts";
import { importOrganizations } from "../../src/api/v1/admin/data/import-organizations.ts";
import type { ImportedOrganization } from "../../src/api/v1/admin/data/imported.ts";
import { startRun } from "../../src/api/v1/admin/data/run.ts";
import type { Call } from "../../src/call/index.ts";
import type { Texts } from "../../src/text/index.ts";
import { everything, homeId } from "./support/everything.ts";

/** Whose word the calls of an entry are; `none`: it is not imported. */
type Word = "organization" | "instance" | "none";

/** Every field of an organization's data. A new one belongs here, with whose word its entries are. */
const wordOf: Readonly<Record<string, Word>> = {
  // What no owner of an organization could make. docs/import-export.md names these.
  org: "instance",
  domainPolicy: "instance",
  iamPolicy: "instance",
  orgDeactivatedByInstance: "instance",
  ...Object.fromEntries(
    [
      "labelPolicy",
      "lockoutPolicy",
      "loginPolicy",
      "passwordComplexityPolicy",
      "privacyPolicy",
      "projects",
      "projectRoles",
      "apiApps",
      "oidcApps",
      "humanUsers",
      "machineUsers",
      "triggerActions",
      "actions",
      "projectGrants",
      "userGrants",
      "orgMembers",
      "projectMembers",
      "projectGrantMembers",
      "userMetadata",
      "loginTexts",
      "initMessages",
      "passwordResetMessages",
      "verifyEmailMessages",
      "verifyPhoneMessages",
      "verifySmsOtpMessages",
      "verifyEmailOtpMessages",
      "domainClaimedMessages",
      "passwordlessRegistrationMessages",
      "inviteUserMessages",
      "oidcIdps",
      "jwtIdps",
      "offeredIdpIds",
      "secondFactors",
      "multiFactors",
      "idps",
      "userLinks",
      "domains",
      "machineKeys",
      "orgState",
    ].map((field) => [field, "organization"]),
  ),
  appKeys: "none",
};

/** What no complete organization has, or the first format has in another form. */
const others: Readonly<Record<string, unknown>> = {
  iamPolicy: { userLoginMustBeDomain: true },
  secondFactors: [{ type: "SECOND_FACTOR_TYPE_OTP" }],
  multiFactors: [{ type: "MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION" }],
  idps: [{ idpId: "1", ownerType: "IDP_OWNER_TYPE_SYSTEM" }],
  offeredIdpIds: ["jwt-1"],
  appKeys: [{ id: "1" }],
  orgState: "ORG_STATE_INACTIVE",
  orgDeactivatedByInstance: true,
};
const ofFirstFormat: Readonly<Record<string, unknown>> = {
  triggerActions: [
    { flowType: "FLOW_TYPE_EXTERNAL_AUTHENTICATION", triggerType: "TRIGGER_TYPE_PRE_CREATION", actionIds: ["a"] },
  ],
};

const formats = [
  { name: "present", schema: DataOrgSchema, read: (organization: ImportedOrganization) => organization, own: {} },
  { name: "first", schema: FirstDataOrgSchema, read: fromFirstFormat, own: ofFirstFormat },
] as const;

for (const { name, schema, read, own } of formats) {
  test(`every entry of the ${name} format is the word of its organization, except for what is listed`, async (t) => {
    const [home] = everything();
    const values: Readonly<Record<string, unknown>> = { ...home, ...others, ...own };
    for (const { localName: field, jsonName } of schema.fields) {
      if (field === "orgId") continue;
      await t.test(field, async () => {
        assert.ok(values[field] !== undefined, `no entry for ${field}`);
        const data = fromJson(schema, { orgId: homeId, [jsonName]: values[field] } as JsonValue);
        const calls = await callsOf(read(data as never));
        const words = new Set(calls.map(({ as }): Word => (as === "caller" ? "instance" : as)));
        assert.deepEqual([...words], wordOf[field] === "none" ? [] : [wordOf[field] ?? "unlisted"], field);
        for (const { as, organizationId } of calls) assert.equal(organizationId, as === "caller" ? undefined : homeId);
      });
    }
  });
}

test("nothing is listed that no format has", () => {
  const fields = new Set(formats.flatMap(({ schema }) => schema.fields.map(({ localName }) => localName)));
  assert.deepEqual(
    Object.keys(wordOf).filter((field) => !fields.has(field)),
    [],
  );
});

/** The calls that an import makes for the data of an organization. */
async function callsOf(organization: ImportedOrganization) {
  const calls: Pick<OtherCall<never>, "as" | "organizationId">[] = [];
  const performOther = (async (_call, { method, as, organizationId }) => {
    calls.push({ as, organizationId } as never);
    return { response: create(method.output) };
  }) as PerformOther;
  const performTogether = (async (_call, { requests, organizationId }) => {
    calls.push({ as: "organization", organizationId } as never);
    return requests.map(() => "left");
  }) as PerformTogether;
  const createPeople = () => Promise.resolve([]);
  const texts = { translate: () => "" } as unknown as Texts;
  const deps = { clock: () => 0, texts, performOther, performTogether, createPeople };
  const call = { language: "en" } as Call;
  await importOrganizations(deps, call, startRun(deps, call, 1, [organization]), [organization]);
  return calls;
}
