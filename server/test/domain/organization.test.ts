import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../src/call/index.ts";
import { type Database, sql, type TextMethod } from "../../src/database/index.ts";
import { createDomainClaims } from "../../src/domain/contact/index.ts";
import { renameLoginNames } from "../../src/domain/login-name/index.ts";
import { refuseEndOfHome } from "../../src/domain/membership/index.ts";
import {
  activateOrganization,
  addOrganizationDomain,
  deactivateOrganization,
  deleteOrganizationMetadata,
  findOwnerOfDomain,
  generateDomainValidation,
  getOrganization,
  listOrganizationDomains,
  listOrganizationMetadata,
  listOrganizations,
  type OrganizationFilter,
  removeOrganizationDomain,
  setOrganizationMetadata,
  setPrimaryDomain,
  updateOrganization,
  verifyOrganizationDomain,
} from "../../src/domain/organization/index.ts";
import { findUser } from "../../src/domain/user/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { type Directory, makeDirectory } from "../support/operations/directory.ts";
import { outcome } from "../support/operations/outcome.ts";
import { searchAtOnce } from "../support/operations/search-at-once.ts";
import { unlimitedMessages } from "../support/operations/unlimited-messages.ts";

const page = { offset: 0, limit: 100 };
const bytes = (text: string) => new TextEncoder().encode(text);

async function begin(database: Database) {
  const directory = await makeDirectory(database);
  const published = new Map<string, string>();
  const deps = {
    ...directory.deps,
    requiresDomainProof: async () => true,
    renameLoginNames,
    refuseEndOfHome,
    domainProofs: {
      inTurn: searchAtOnce,
      hasTextRecord: async (name: string, value: string) => published.get(name) === value,
      hasDocument: async (url: string, value: string) => published.get(url) === value,
    },
  };
  return { directory, deps, published, owner: await directory.as(directory.ownerId) };
}

const names = async (directory: Directory, filters: readonly OrganizationFilter[]) => {
  const owner = await directory.as(directory.ownerId);
  const search = { filters, orderBy: "name", isDescending: false, page } as const;
  const { organizations, total } = await listOrganizations(directory.deps, owner, search);
  assert.equal(total, organizations.length);
  return organizations.map(({ name }) => name);
};

eachEngine((open) => {
  test("an organization gets a primary domain below the host, made of its name", async (t) => {
    const { directory, owner } = await begin(await open(t));
    const first = await directory.addOrganization("Ärzte & Söhne GmbH");
    const second = await directory.addOrganization("Ärzte und Söhne");
    const third = await directory.addOrganization("arzte-sohne-gmbh!");
    const domain = async (id: string) => (await getOrganization(directory.deps, owner, id)).primaryDomain;
    assert.equal(await domain(first), "arzte-sohne-gmbh.id.example.test");
    assert.equal(await domain(second), "arzte-und-sohne.id.example.test");
    assert.equal(await domain(third), `arzte-sohne-gmbh-${third}.id.example.test`);
  });

  test("a name belongs to one organization, regardless of case; setting its current name succeeds", async (t) => {
    const { directory, deps, owner } = await begin(await open(t));
    const acme = await directory.addOrganization("Acme");
    await assert.rejects(directory.addOrganization("ACME"), { id: "organization.name_taken" });
    const other = await directory.addOrganization("Other");
    const rename = (name: string) => updateOrganization(deps, owner, { organizationId: other, name });
    assert.equal(await outcome(() => rename("acme")), "already_exists organization.name_taken");
    assert.equal(await outcome(() => rename("  ")), "invalid_argument organization.name_invalid");
    const before = await getOrganization(deps, owner, other);
    assert.deepEqual(await rename("Other"), before.details);
    assert.equal((await rename("Another")).sequence, before.details.sequence + 1);
    assert.equal((await getOrganization(deps, owner, acme)).name, "Acme");
  });

  test("activating and deactivating are idempotent; the default organization stays active", async (t) => {
    const { directory, deps, owner } = await begin(await open(t));
    const acme = await directory.addOrganization("Acme");
    const off = await deactivateOrganization(deps, owner, acme);
    assert.deepEqual(await deactivateOrganization(deps, owner, acme), off);
    assert.equal((await getOrganization(deps, owner, acme)).state, "inactive");
    await activateOrganization(deps, owner, acme);
    assert.equal((await getOrganization(deps, owner, acme)).state, "active");
    const refused = await outcome(() => deactivateOrganization(deps, owner, directory.organizationId));
    assert.equal(refused, "failed_precondition organization.is_default");
  });

  test("a domain is verified by the newest proof that was asked for, and then belongs to no other organization", async (t) => {
    const { directory, deps, owner, published } = await begin(await open(t));
    const acme = { organizationId: await directory.addOrganization("Acme"), domain: "Acme.Example" };
    const rival = { organizationId: await directory.addOrganization("Rival"), domain: "acme.example" };
    await addOrganizationDomain(deps, owner, acme);
    await addOrganizationDomain(deps, owner, rival);
    const verify = (input: typeof acme) => outcome(() => verifyOrganizationDomain(deps, owner, input));
    assert.equal(await verify(acme), "failed_precondition organization.domain_no_validation");
    const first = await generateDomainValidation(deps, owner, { ...acme, type: "dns" });
    assert.equal(first.location, "_doorward-challenge.acme.example");
    published.set(first.location, first.token);
    const second = await generateDomainValidation(deps, owner, { ...acme, type: "http" });
    assert.equal(second.location, `https://acme.example/.well-known/doorward-challenge/${second.token}.txt`);
    assert.equal(await verify(acme), "failed_precondition organization.domain_unproven");
    published.set(second.location, second.token);
    assert.equal(await verify(acme), "ok");
    assert.equal(await verify(acme), "ok");
    const rivals = await generateDomainValidation(deps, owner, { ...rival, type: "dns" });
    published.set(rivals.location, rivals.token);
    assert.equal(await verify(rival), "already_exists organization.domain_taken");
  });

  test("an organization may have some hundred domains, and no number of them", async (t) => {
    const { directory, deps, owner } = await begin(await open(t));
    const organizationId = await directory.addOrganization("Acme");
    await deps.database.touch(owner, (tx) =>
      tx.run(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_proven,
          is_primary, validation_type, created_at, changed_at)
        with recursive series(i) as (select 1 union all select i + 1 from series where i < 998)
        select ${tx.instanceId}, ${organizationId}, 'd' || cast(i as text) || '.example', 1, 1, 0, 'none', 0, 0 from series`),
    );
    const add = (domain: string) => outcome(() => addOrganizationDomain(deps, owner, { organizationId, domain }));
    assert.equal(await add("last.example"), "ok");
    assert.equal(await add("more.example"), "resource_exhausted organization.domain_too_many");
    await removeOrganizationDomain(deps, owner, { organizationId, domain: "d1.example" });
    assert.equal(await add("more.example"), "ok");
  });

  test("without a required proof a domain is verified at once, unless another organization owns it", async (t) => {
    const { directory, deps, owner } = await begin(await open(t));
    const trusting = { ...deps, requiresDomainProof: async () => false };
    const acme = await directory.addOrganization("Acme");
    const rival = await directory.addOrganization("Rival");
    const add = (organizationId: string, domain: string) =>
      outcome(() => addOrganizationDomain(trusting, owner, { organizationId, domain }));
    assert.equal(await add(acme, "acme.example"), "ok");
    assert.equal(await add(acme, "ACME.example."), "already_exists organization.domain_exists");
    assert.equal(await add(rival, "acme.example"), "already_exists organization.domain_taken");
    for (const wrong of ["", "acme", "a b.example", "acme.example/x", "127.0.0.1", "acme.example:80", "-a.example"]) {
      const expected = wrong === "acme" ? "ok" : "invalid_argument organization.domain_invalid";
      assert.equal(await add(acme, wrong), expected, wrong);
    }
  });

  test("many claim a domain, one proves it, and that takes it from the others, even at once (A11)", async (t) => {
    const { directory, deps, published } = await begin(await open(t));
    const { instanceId } = directory;
    const { read } = deps.database;
    const trusting = {
      ...deps,
      requiresDomainProof: async () => false,
      domainClaims: createDomainClaims({ ...deps, messageBudgets: unlimitedMessages }),
    };
    const domain = "acme.example";
    const claims = [];
    for (const name of ["First", "Second", "Third"]) {
      const organizationId = await directory.addOrganization(name);
      const call = await directory.member(organizationId, "ORG_OWNER");
      await addOrganizationDomain(trusting, call, { organizationId, domain });
      assert.equal(await findOwnerOfDomain(read, instanceId, domain), undefined, "a claim owns nothing");
      const primary = await outcome(() => setPrimaryDomain(deps, call, { organizationId, domain }));
      assert.equal(primary, "failed_precondition organization.domain_unverified", "no login names are formed of it");
      claims.push({ organizationId, call });
    }
    for (const { organizationId, call } of claims) {
      const proof = await generateDomainValidation(deps, call, { organizationId, domain, type: "http" });
      published.set(proof.location, proof.token);
    }
    const outcomes = await Promise.all(
      claims.map(({ organizationId, call }) =>
        outcome(() => verifyOrganizationDomain(trusting, call, { organizationId, domain })),
      ),
    );
    assert.deepEqual(outcomes.toSorted(), [
      "already_exists organization.domain_taken",
      "already_exists organization.domain_taken",
      "ok",
    ]);
    const owner = claims[outcomes.indexOf("ok")];
    assert.equal(await findOwnerOfDomain(read, instanceId, domain), owner?.organizationId);
    for (const { organizationId, call } of claims) {
      const filters = [{ method: "equals" as const, domain }];
      const search = { organizationId, filters, orderBy: "domain", isDescending: false, page } as const;
      const [found] = (await listOrganizationDomains(deps, call, search)).domains;
      assert.equal(found?.isVerified, organizationId === owner?.organizationId);
      if (organizationId !== owner?.organizationId) {
        const primary = await outcome(() => setPrimaryDomain(deps, call, { organizationId, domain }));
        assert.equal(primary, "failed_precondition organization.domain_unverified");
      }
    }
    const late = await directory.addOrganization("Late");
    const member = await directory.member(late, "ORG_OWNER");
    const claim = await outcome(() => addOrganizationDomain(trusting, member, { organizationId: late, domain }));
    assert.equal(claim, "already_exists organization.domain_taken");
  });

  test("no organization takes a host of the instance, or what is below (A11)", async (t) => {
    const { directory, deps, owner } = await begin(await open(t));
    await directory.addOrganization("Acme");
    const organizationId = await directory.addOrganization("Evil");
    const member = await directory.member(organizationId, "ORG_OWNER");
    for (const requiresDomainProof of [async () => false, async () => true]) {
      const add = (call: Call, domain: string) =>
        outcome(() => addOrganizationDomain({ ...deps, requiresDomainProof }, call, { organizationId, domain }));
      const reserved = "invalid_argument organization.domain_reserved";
      assert.equal(await add(member, "id.example.test"), reserved);
      assert.equal(await add(member, "later.id.example.test"), reserved);
      assert.match(await add(member, "acme.id.example.test"), /domain_(reserved|taken)$/);
      const own = (await requiresDomainProof()) ? "open.example" : "example.test";
      assert.equal(await add(member, own), "ok", "a domain above the host may be its own");
    }
    const trusting = { ...deps, requiresDomainProof: async () => false };
    const given = { organizationId, domain: "later.id.example.test" };
    assert.equal(await outcome(() => addOrganizationDomain(trusting, owner, given)), "ok");
    const later = await getOrganization(deps, owner, await directory.addOrganization("Later"));
    assert.notEqual(later.primaryDomain, given.domain);
  });

  test("the primary domain changes login names with it, must be verified, and cannot be removed", async (t) => {
    const { directory, deps, owner } = await begin(await open(t));
    const organizationId = await directory.addOrganization("Acme");
    const userId = await directory.addUser(organizationId, "jane");
    await addOrganizationDomain(deps, owner, { organizationId, domain: "unproven.example" });
    await addOrganizationDomain({ ...deps, requiresDomainProof: async () => false }, owner, {
      organizationId,
      domain: "acme.example",
    });
    const make = (domain: string) => outcome(() => setPrimaryDomain(deps, owner, { organizationId, domain }));
    assert.equal(await make("unproven.example"), "failed_precondition organization.domain_unverified");
    assert.equal(await make("elsewhere.example"), "not_found organization.domain_not_found");
    assert.equal(await make("acme.example"), "ok");
    assert.equal((await getOrganization(deps, owner, organizationId)).primaryDomain, "acme.example");
    const user = await findUser(deps.database.read, directory.instanceId, userId);
    assert.equal(user?.preferredLoginName, "jane@acme.example");
    const remove = (domain: string) => removeOrganizationDomain(deps, owner, { organizationId, domain });
    assert.equal(await outcome(() => remove("acme.example")), "failed_precondition organization.domain_is_primary");
    assert.deepEqual(await remove("acme.id.example.test"), { removedAt: owner.now });
    assert.deepEqual(await remove("acme.id.example.test"), {});
  });

  test("metadata is set, read by key filter, and deleted; values may have any bytes", async (t) => {
    const { directory, deps, owner } = await begin(await open(t));
    const organizationId = await directory.addOrganization("Acme");
    const value = Uint8Array.from([0, 255, 128, 10]);
    const entries = [
      { key: "plan", value: bytes("gold") },
      { key: "blob", value },
      { key: "planet", value: new Uint8Array() },
    ];
    await setOrganizationMetadata(deps, owner, { organizationId, entries });
    const list = async (key: string) => {
      const keyFilters = [{ key, method: "starts_with" as const }];
      const search = { organizationId, keyFilters, isDescending: false, page };
      return (await listOrganizationMetadata(deps, owner, search)).metadata;
    };
    assert.deepEqual(
      (await list("plan")).map((entry) => entry.key),
      ["plan", "planet"],
    );
    assert.deepEqual(Buffer.from((await list("blob"))[0]?.value ?? []), Buffer.from(value));
    const { sequence } = (await getOrganization(deps, owner, organizationId)).details;
    await setOrganizationMetadata(deps, owner, { organizationId, entries });
    assert.equal((await getOrganization(deps, owner, organizationId)).details.sequence, sequence);
    await deleteOrganizationMetadata(deps, owner, { organizationId, keys: ["plan", "absent"] });
    assert.deepEqual(
      (await list("plan")).map((entry) => entry.key),
      ["planet"],
    );
  });

  test("a name is found by each comparison as a program compares, with any letters", async (t) => {
    const { directory } = await begin(await open(t));
    const given = [
      "Ärzte & Söhne",
      "ärzte UND mehr",
      "ΟΔΟΣ Athen",
      "οδος",
      "100% _Rabatt_",
      "a\\b GmbH",
      "İstanbul",
      "Ǆ ǆ",
      "o'Hara",
    ];
    for (const name of given) await directory.addOrganization(name);
    const parts = [
      "Ä",
      "ÄRZ",
      "ärz",
      "SÖHNE",
      "ΟΔΟΣ",
      "οδος",
      "οδοσ",
      "00%",
      "% _",
      "_Rabatt_",
      "\\b",
      "i",
      "İST",
      "ǆ",
      "o'H",
      "GMBH",
      "zz",
    ];
    const lower = (value: string): string => value.toLowerCase();
    const methods = {
      equals: (name, part) => name === part,
      equals_ignore_case: (name, part) => lower(name) === lower(part),
      starts_with: (name, part) => name.startsWith(part),
      starts_with_ignore_case: (name, part) => lower(name).startsWith(lower(part)),
      contains: (name, part) => name.includes(part),
      contains_ignore_case: (name, part) => lower(name).includes(lower(part)),
      ends_with: (name, part) => name.endsWith(part),
      ends_with_ignore_case: (name, part) => lower(name).endsWith(lower(part)),
    } as const satisfies Record<TextMethod, (name: string, part: string) => boolean>;
    const all = await names(directory, []);
    assert.ok(all.length > given.length);
    for (const [method, holds] of Object.entries(methods)) {
      for (const part of [...parts, ...given]) {
        const found = await names(directory, [{ by: "name", method: method as TextMethod, name: part }]);
        assert.deepEqual(
          found,
          all.filter((name) => holds(name, part)),
          `${method} ${part}`,
        );
      }
    }
  });

  test("lists filter by name, domain, state, id and default", async (t) => {
    const { directory, deps, owner } = await begin(await open(t));
    const alpha = await directory.addOrganization("Alpha");
    await directory.addOrganization("alphabet");
    const beta = await directory.addOrganization("Beta");
    const trusting = { ...deps, requiresDomainProof: async () => false };
    await addOrganizationDomain(trusting, owner, { organizationId: beta, domain: "beta.example" });
    const member = await directory.member(alpha, "ORG_OWNER");
    await addOrganizationDomain(trusting, member, { organizationId: alpha, domain: "claimed.example" });
    await deactivateOrganization(deps, owner, beta);
    assert.deepEqual(await names(directory, []), ["Alpha", "alphabet", "Beta", "Home"]);
    const byName = (method: "starts_with" | "starts_with_ignore_case") =>
      names(directory, [{ by: "name", method, name: "Alpha" }]);
    assert.deepEqual(await byName("starts_with"), ["Alpha"]);
    assert.deepEqual(await byName("starts_with_ignore_case"), ["Alpha", "alphabet"]);
    assert.deepEqual(await names(directory, [{ by: "domain", method: "equals", domain: "beta.example" }]), ["Beta"]);
    const claimed = { by: "domain", method: "equals", domain: "claimed.example" } as const;
    assert.deepEqual(await names(directory, [claimed]), [], "a claim leads nowhere (A11)");
    assert.deepEqual(await names(directory, [{ by: "state", state: "inactive" }]), ["Beta"]);
    assert.deepEqual(await names(directory, [{ by: "state", state: undefined }]), []);
    assert.deepEqual(await names(directory, [{ by: "id", organizationId: alpha }]), ["Alpha"]);
    assert.deepEqual(await names(directory, [{ by: "default" }]), ["Home"]);
    assert.deepEqual(await names(directory, [{ by: "default" }, { by: "id", organizationId: alpha }]), []);
    const domains = { organizationId: beta, orderBy: "domain", isDescending: false, page } as const;
    const filters = [{ method: "ends_with" as const, domain: ".example" }];
    const found = await listOrganizationDomains(deps, owner, { ...domains, filters });
    assert.deepEqual(
      found.domains.map(({ domain, isPrimary, isVerified }) => ({ domain, isPrimary, isVerified })),
      [{ domain: "beta.example", isPrimary: false, isVerified: true }],
    );
  });
});
