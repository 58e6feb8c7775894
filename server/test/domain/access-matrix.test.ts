import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../src/call/index.ts";
import type { Database } from "../../src/database/index.ts";
import type { AdministeredResource } from "../../src/domain/administrator-access/index.ts";
import { listAggregateTypes, listEvents, listEventTypes } from "../../src/domain/event-log/index.ts";
import {
  addCustomDomain,
  addTrustedDomain,
  getInstance,
  listInstanceDomains,
  listInstances,
  removeCustomDomain,
  removeTrustedDomain,
  setPrimaryCustomDomain,
  updateInstance,
} from "../../src/domain/instance/index.ts";
import { renameLoginNames } from "../../src/domain/login-name/index.ts";
import {
  createAdministrator,
  deleteAdministrator,
  refuseEndOfHome,
  updateAdministrator,
} from "../../src/domain/membership/index.ts";
import {
  createBuiltInTexts,
  getDefaultMessageText,
  getOwnMessageText,
  resetMessageText,
  setMessageText,
} from "../../src/domain/message-text/index.ts";
import {
  activateOrganization,
  addOrganizationDomain,
  deactivateOrganization,
  deleteOrganizationMetadata,
  generateDomainValidation,
  getOrganization,
  listOrganizationDomains,
  listOrganizationMetadata,
  removeOrganizationDomain,
  setOrganizationMetadata,
  setPrimaryDomain,
  updateOrganization,
  verifyOrganizationDomain,
} from "../../src/domain/organization/index.ts";
import {
  getGeneralSettings,
  getSettings,
  resetSettings,
  setSettings,
  settingsKinds,
} from "../../src/domain/settings/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeDirectory, withoutRoles } from "../support/operations/directory.ts";
import { code } from "../support/operations/outcome.ts";
import { searchAtOnce } from "../support/operations/search-at-once.ts";

/** The callers, as seen from organization A of the first instance. */
const principals = [
  "system",
  "instanceOwner",
  "instanceViewer",
  "ownerA",
  "viewerA",
  "ownerB",
  "otherInstance",
  "stranger",
  "anonymous",
] as const;
type Principal = (typeof principals)[number];

/** The answers to each principal, in the order of `principals`: ok, denied (403), hidden (404), unknown (401). */
type Row = readonly [name: string, answers: string, operation: (call: Call) => Promise<unknown>];

const words = { o: "ok", d: "permission_denied", h: "not_found", u: "unauthenticated" } as const;

// Roles in the order of `principals`:            system inst.owner inst.viewer ownerA viewerA ownerB other stranger
// anonymous
const readsOrganization = "hoooohhhu";
const writesOrganization = "hododhhhu";
const readsInstance = "ooodddddu";
const writesInstance = "ooddddddu";
const forSystem = "odddddddu";
const writesInstanceSettings = "doddddddu";
const readsInstanceSettings = "doodddddu";
const readsAnySettings = "doooooddu";

async function begin(database: Database) {
  const first = await makeDirectory(database, { host: "one.example.test" });
  const second = await makeDirectory(database, { host: "two.example.test", deps: first.deps });
  const a = await first.addOrganization("A");
  const b = await first.addOrganization("B");
  const calls: Record<Principal, Call> = {
    system: first.system,
    instanceOwner: await first.as(first.ownerId),
    instanceViewer: await first.member(first.organizationId, "IAM_OWNER_VIEWER"),
    ownerA: await first.member(a, "ORG_OWNER"),
    viewerA: await first.member(a, "ORG_OWNER_VIEWER"),
    ownerB: await first.member(b, "ORG_OWNER"),
    // The owner of another instance: their roles are found in their instance and nowhere else.
    otherInstance: await first.as(second.ownerId),
    stranger: withoutRoles(first),
    anonymous: first.nobody,
  };
  assert.notEqual((await second.as(second.ownerId)).caller?.access.positions.length, 0);
  return { first, second, a, b, calls };
}

eachEngine((open) => {
  test("each operation admits exactly the intended callers, and a refusal changes nothing", async (t) => {
    const { first, second, a, b, calls } = await begin(await open(t));
    const deps = {
      ...first.deps,
      builtInTexts: createBuiltInTexts(),
      renameLoginNames,
      refuseEndOfHome,
      requiresDomainProof: async () => false,
      domainProofs: { inTurn: searchAtOnce, hasTextRecord: async () => true, hasDocument: async () => true },
    };
    const page = { offset: 0, limit: 10 };
    const target = await first.addUser(b, "target");
    const organizationA: AdministeredResource = { level: "organization", organizationId: a };
    let count = 0;
    const fresh = (): string => `name-${++count}.example`;
    const own = calls.instanceOwner;
    const domain = { organizationId: a, domain: "a.example" };
    await addOrganizationDomain(deps, own, domain);
    const metadata = { organizationId: a, keyFilters: [], isDescending: false, page };
    const domains = { organizationId: a, filters: [], orderBy: "domain", isDescending: false, page } as const;
    const instanceDomains = { filters: [], orderBy: "domain", isDescending: false, page } as const;
    const appointed = { userId: target, resource: organizationA };
    const lockout = settingsKinds.lockout.defaults;
    const message = { kind: "init", language: "en" } as const;
    const events = { limit: 10, isAscending: false, types: [], aggregateTypes: [], time: {} };

    const rows: readonly Row[] = [
      ["getOrganization", readsOrganization, (call) => getOrganization(deps, call, a)],
      ["listOrganizationDomains", readsOrganization, (call) => listOrganizationDomains(deps, call, domains)],
      ["listOrganizationMetadata", readsOrganization, (call) => listOrganizationMetadata(deps, call, metadata)],
      [
        "updateOrganization",
        writesOrganization,
        (call) => updateOrganization(deps, call, { organizationId: a, name: fresh() }),
      ],
      ["deactivateOrganization", writesOrganization, (call) => deactivateOrganization(deps, call, a)],
      ["activateOrganization", writesOrganization, (call) => activateOrganization(deps, call, a)],
      [
        "addOrganizationDomain",
        writesOrganization,
        (call) => addOrganizationDomain(deps, call, { organizationId: a, domain: fresh() }),
      ],
      [
        "generateDomainValidation",
        // Asked for a verified domain, so that callers who may ask are refused for that.
        writesOrganization.replaceAll("o", "f"),
        (call) => generateDomainValidation(deps, call, { ...domain, type: "dns" }),
      ],
      ["verifyOrganizationDomain", writesOrganization, (call) => verifyOrganizationDomain(deps, call, domain)],
      ["setPrimaryDomain", writesOrganization, (call) => setPrimaryDomain(deps, call, domain)],
      [
        "removeOrganizationDomain",
        writesOrganization,
        (call) => removeOrganizationDomain(deps, call, { organizationId: a, domain: `name-${count}.example` }),
      ],
      [
        "setOrganizationMetadata",
        writesOrganization,
        (call) =>
          setOrganizationMetadata(deps, call, {
            organizationId: a,
            entries: [{ key: fresh(), value: Buffer.from("1") }],
          }),
      ],
      [
        "deleteOrganizationMetadata",
        writesOrganization,
        (call) => deleteOrganizationMetadata(deps, call, { organizationId: a, keys: [`name-${count}.example`] }),
      ],
      [
        "setSettings of an organization",
        writesOrganization,
        (call) =>
          setSettings(deps, call, {
            kind: "lockout",
            organizationId: a,
            settings: { ...lockout, maxOtpAttempts: ++count },
          }),
      ],
      [
        "resetSettings of an organization",
        writesOrganization,
        (call) => resetSettings(deps, call, { kind: "lockout", organizationId: a }),
      ],
      [
        "getSettings of an organization",
        "hoooohhhu",
        (call) => getSettings(deps, call, { kind: "login", organizationId: a }),
      ],
      [
        "getSettings inherited by organizations",
        readsAnySettings,
        (call) => getSettings(deps, call, { kind: "login" }),
      ],
      ["getGeneralSettings", readsAnySettings, (call) => getGeneralSettings(deps, call)],
      [
        "getSettings of the instance alone",
        readsInstanceSettings,
        (call) => getSettings(deps, call, { kind: "security" }),
      ],
      [
        "setSettings of the instance",
        writesInstanceSettings,
        (call) => setSettings(deps, call, { kind: "lockout", settings: { ...lockout, maxOtpAttempts: ++count } }),
      ],
      [
        "getOwnMessageText of an organization",
        readsOrganization,
        (call) => getOwnMessageText(deps, call, { ...message, organizationId: a }),
      ],
      [
        "getDefaultMessageText of an organization",
        readsOrganization,
        (call) => getDefaultMessageText(deps, call, { ...message, organizationId: a }),
      ],
      [
        "setMessageText of an organization",
        writesOrganization,
        (call) => setMessageText(deps, call, { ...message, organizationId: a, parts: { text: fresh() } }),
      ],
      [
        "resetMessageText of an organization",
        writesOrganization,
        (call) => resetMessageText(deps, call, { ...message, organizationId: a }),
      ],
      ["getOwnMessageText of the instance", readsInstanceSettings, (call) => getOwnMessageText(deps, call, message)],
      [
        "setMessageText of the instance",
        writesInstanceSettings,
        (call) => setMessageText(deps, call, { ...message, parts: { text: fresh() } }),
      ],
      ["resetMessageText of the instance", writesInstanceSettings, (call) => resetMessageText(deps, call, message)],
      ["listEvents", readsInstanceSettings, (call) => listEvents(deps, call, events)],
      ["listEventTypes", readsInstanceSettings, async (call) => listEventTypes(call)],
      ["listAggregateTypes", readsInstanceSettings, async (call) => listAggregateTypes(call)],
      ["getInstance", readsInstance, (call) => getInstance(deps, call, undefined)],
      [
        "listInstanceDomains",
        readsInstance,
        (call) => listInstanceDomains(deps, call, { ...instanceDomains, isTrusted: false }),
      ],
      ["updateInstance", writesInstance, (call) => updateInstance(deps, call, { name: fresh() })],
      ["addTrustedDomain", writesInstance, (call) => addTrustedDomain(deps, call, { domain: fresh() })],
      [
        "removeTrustedDomain",
        writesInstance,
        (call) => removeTrustedDomain(deps, call, { domain: `name-${count}.example` }),
      ],
      ["addCustomDomain", forSystem, (call) => addCustomDomain(deps, call, { domain: fresh() })],
      ["removeCustomDomain", forSystem, (call) => removeCustomDomain(deps, call, { domain: `name-${count}.example` })],
      [
        "setPrimaryCustomDomain",
        forSystem,
        (call) => setPrimaryCustomDomain(deps, call, { domain: "one.example.test" }),
      ],
      [
        "listInstances",
        forSystem,
        (call) => listInstances(deps, call, { filters: [], orderBy: "id", isDescending: false, page }),
      ],
      // Another instance exists for system users only.
      ["getInstance of another", "ohhhhhhhu", (call) => getInstance(deps, call, second.instanceId)],
      [
        "updateInstance of another",
        "ohhhhhhhu",
        (call) => updateInstance(deps, call, { instanceId: second.instanceId, name: fresh() }),
      ],
      [
        "createAdministrator of an organization",
        writesOrganization,
        async (call) => {
          await createAdministrator(deps, call, { ...appointed, roles: ["ORG_OWNER_VIEWER"] });
          await deleteAdministrator(deps, own, appointed);
        },
      ],
      [
        "createAdministrator of the instance",
        "doddddddu",
        async (call) => {
          const resource = { level: "instance" } as const;
          await createAdministrator(deps, call, { userId: target, resource, roles: ["IAM_OWNER_VIEWER"] });
          await deleteAdministrator(deps, own, { userId: target, resource });
        },
      ],
      [
        "updateAdministrator of an organization",
        writesOrganization,
        async (call) => {
          await createAdministrator(deps, own, { ...appointed, roles: ["ORG_OWNER_VIEWER"] });
          try {
            await updateAdministrator(deps, call, { ...appointed, roles: ["ORG_OWNER"] });
          } finally {
            await deleteAdministrator(deps, own, appointed);
          }
        },
      ],
    ];
    for (const [name, answers, operation] of rows) {
      for (const [index, principal] of principals.entries()) {
        const expected = { ...words, f: "failed_precondition" }[answers[index] as keyof typeof words | "f"];
        const before = [await first.snapshot(), await second.snapshot()];
        const answered = await code(() => operation(calls[principal]));
        assert.equal(answered, expected, `${name} by ${principal}`);
        const isRestoring = name.startsWith("updateAdministrator");
        if (answered !== "ok" && !isRestoring) {
          assert.deepEqual([await first.snapshot(), await second.snapshot()], before, `${name} by ${principal}`);
        }
      }
    }
  });
});
