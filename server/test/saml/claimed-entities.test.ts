import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson } from "../support/people/people.ts";
import { proveDomain } from "../support/people/prove-domain.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import {
  addProject,
  decodeResponse,
  logoutService,
  metadataOf,
  newEntityId,
  nodeSaml,
  type PartnerOptions,
  pathOf,
  postedBy,
  signInAt,
  startNow,
  statusesOf,
} from "./support.ts";

const service = "service.application.v2.ApplicationService";
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const done = "done";
const taken = "application.entity_id_taken";
const foreign = "organization.domain_taken";

type Partner = PartnerOptions & { readonly entityId: string };

/** An organization whose owner makes SAML applications; methods say "done", or why not. */
async function addTenant(server: TestServer, name: string) {
  const { organizationId, token } = await addOwnedOrganization(server, name);
  const projectId = await addProject(server, { organizationId });
  const ids = new Map<string, string>();
  const call = async (method: string, body: object, as: string | undefined = token) => {
    const given = as === undefined ? {} : { token: as };
    const answer = await server.connect(`${service}/${method}`, { projectId, ...body }, given);
    return { body: answer.body, outcome: answer.status === 200 ? done : answer.body.details[0].debug.id };
  };
  const configurationOf = (partner: Partner) => ({ metadataXml: base64(metadataOf(partner)) });
  const create = async (name: string, samlConfiguration: object, as?: string): Promise<string> => {
    const { body, outcome } = await call("CreateApplication", { name, samlConfiguration }, as);
    if (outcome === done) ids.set(name, body.applicationId);
    return outcome;
  };
  return {
    organizationId,
    projectId,
    create,
    register: (partner: Partner, as?: string) =>
      create(`${partner.entityId} ${ids.size}`, configurationOf(partner), as),
    /** Changes the last one. */
    change: async (partner: Partner) =>
      (await call("UpdateApplication", { applicationId: last(ids), samlConfiguration: configurationOf(partner) }))
        .outcome,
    /** Has the metadata of the last one fetched again. */
    fetch: async (metadataUrl: string, as?: string) =>
      (await call("UpdateApplication", { applicationId: last(ids), samlConfiguration: { metadataUrl } }, as)).outcome,
    read: async () => {
      const { body } = await server.connect(`${service}/GetApplication`, { applicationId: last(ids) });
      return body.application.samlConfiguration;
    },
    remove: async () => assert.equal((await call("DeleteApplication", { applicationId: last(ids) })).outcome, done),
  };
}

const last = (ids: ReadonlyMap<string, string>): string => [...ids.values()].at(-1) ?? assert.fail("no application");

/** A server that serves metadata. */
function serve(receiver: Receiver, xml: string): void {
  receiver.answer = (_, response) => void response.end(xml);
}

eachServer((start) => {
  test("an entity id stays its organization's when its application is gone or has another one", async (t) => {
    const server = await startNow(start, t);
    const [bank, evil] = [await addTenant(server, "Bank"), await addTenant(server, "Evil")];
    const instance = server.ownerToken;
    const entityId = newEntityId();
    const ada = await addPerson(server, { username: "ada", organizationId: bank.organizationId });
    const mallory = await addPerson(server, { username: "mallory", organizationId: evil.organizationId });
    const sp = await nodeSaml(server, entityId);
    const address = await sp.getAuthorizeUrlAsync("", undefined, {});
    const isUnknown = async (): Promise<boolean> => {
      const { html } = await new TestBrowser(server).open(pathOf(address));
      return html.includes("Unknown application");
    };

    assert.equal(await bank.register({ entityId }), done);
    const { page } = await signInAt(server, address, ada);
    assert.deepEqual(statusesOf(decodeResponse(postedBy(page).fields)), ["Success"]);
    assert.equal(await evil.register({ entityId }), taken, "while an application has it");
    assert.equal(await evil.register({ entityId }, instance), taken, "for the instance as well");
    assert.equal(await evil.register({ entityId: newEntityId() }), done);
    // Another entity id in its place.
    assert.equal(await bank.change({ entityId: newEntityId() }), done);
    assert.equal(await evil.register({ entityId }), taken);
    assert.equal(await evil.change({ entityId }), taken);
    assert.equal(await bank.change({ entityId }), done);
    await bank.remove();
    assert.equal(await evil.register({ entityId }), taken, "after it was deleted");
    assert.equal(await isUnknown(), true);
    assert.equal(await bank.register({ entityId }), done);
    assert.equal(await isUnknown(), false);
    const { projectId } = bank;
    const deleted = await server.connect("service.project.v2.ProjectService/DeleteProject", { projectId });
    assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
    assert.equal(await evil.register({ entityId }), taken, "after its project was deleted");
    const { organizationId } = bank;
    const gone = await server.connect("service.org.v2.OrganizationService/DeleteOrganization", { organizationId });
    assert.equal(gone.status, 200, JSON.stringify(gone.body));
    assert.equal(await evil.register({ entityId }), taken, "after its organization was deleted");
    assert.equal(await isUnknown(), true);

    // An administrator of the instance decides whose it is from then on.
    assert.equal(await evil.register({ entityId }, instance), done);
    assert.equal(await evil.change({ entityId, isSigned: false, formats: ["a"] }), done);
    const other = await addTenant(server, "Other");
    await evil.remove();
    assert.equal(await other.register({ entityId }), taken);
    assert.equal(await evil.register({ entityId }), done);
    const own = await signInAt(server, address, mallory);
    assert.deepEqual(statusesOf(decodeResponse(postedBy(own.page).fields)), ["Success"]);
  });

  test("hosts of a service provider are at no domain that another organization has proven", async (t) => {
    const server = await startNow(start, t);
    const [bank, evil] = [await addTenant(server, "Bank"), await addTenant(server, "Evil")];
    // From before the domain was proven.
    const early = { entityId: "https://early.bank.example/saml" };
    assert.equal(await evil.register(early), done);
    await proveDomain(server, bank.organizationId, "bank.example");
    await proveDomain(server, evil.organizationId, "evil.bank.example");
    const inBank = "https://wiki.bank.example/saml";
    const refused: readonly Partner[] = [
      { entityId: inBank },
      { entityId: "https://WIKI.Bank.example:8443/saml" },
      { entityId: "bank.example" },
      { entityId: "wiki.bank.example/saml" },
      { entityId: "wiki.bank.example:8443/saml" },
      { entityId: "sp://wiki.bank.example/saml" },
      { entityId: newEntityId(), consumers: ["https://sp.example/acs", "https://wiki.bank.example/acs"] },
      { entityId: newEntityId(), consumers: ["https://wiki.bank.example./acs"] },
      { entityId: newEntityId(), logout: logoutService("HTTP-Redirect", "https://wiki.bank.example/slo") },
    ];
    for (const partner of refused) assert.equal(await evil.register(partner), foreign, JSON.stringify(partner));
    assert.equal(await evil.change({ ...early, consumers: ["https://wiki.bank.example/acs"] }), foreign);
    // What it had before goes on, and nothing else at the host.
    assert.equal(await evil.change({ ...early, isSigned: false, formats: ["a"] }), done);
    assert.equal(await evil.change({ ...early, consumers: ["https://early.bank.example/acs"] }), foreign);
    assert.equal(await evil.change({ entityId: "https://early.bank.example/other" }), foreign);
    const allowed: readonly Partner[] = [
      { entityId: "https://evil.bank.example/saml" },
      { entityId: "https://notbank.example/saml" },
      { entityId: "urn:amazon:webservices" },
      { entityId: "Dropbox" },
    ];
    for (const partner of allowed) assert.equal(await evil.register(partner), done, JSON.stringify(partner));

    // Metadata that is fetched again is held to it as well.
    const receiver = await startReceiver(t);
    const fetched = { entityId: newEntityId() };
    serve(receiver, metadataOf(fetched));
    assert.equal(await evil.create("Fetched", { metadataUrl: `${receiver.origin}/metadata` }), done);
    serve(receiver, metadataOf({ ...fetched, entityId: inBank }));
    for (let round = 0; round < 60 && (await evil.read()).metadataFailure !== foreign; round++) {
      server.clock.now += 30 * 60_000;
      await server.app.jobs.tick();
      await wait(10);
    }
    const { metadataFailure, entityId } = await evil.read();
    assert.deepEqual([metadataFailure, entityId], [foreign, fetched.entityId]);

    // The owner of the domain, and an administrator of the instance in any organization.
    assert.equal(await bank.register({ entityId: inBank, consumers: ["https://bank.example/acs"] }), done);
    assert.equal(await evil.register({ entityId: "https://shared.bank.example/saml" }, server.ownerToken), done);
  });

  test("an address from before a domain was proven makes nothing else of it the organization's", async (t) => {
    const server = await startNow(start, t);
    const [bank, evil] = [await addTenant(server, "Bank"), await addTenant(server, "Evil")];
    const host = "https://apps.bank.example";
    const logout = logoutService("HTTP-Redirect", `${host}/slo`);
    const early = { entityId: newEntityId(), consumers: [`${host}/acs`], logout };
    assert.equal(await evil.register(early), done);
    await proveDomain(server, bank.organizationId, "bank.example");
    const changes: readonly Partner[] = [
      { ...early, entityId: `${host}/hr` },
      { ...early, entityId: `${host}/acs` },
      { ...early, consumers: [`${host}/acs`, `${host}/other`] },
      { ...early, consumers: [`${host}/slo`] },
      { ...early, logout: logoutService("HTTP-Redirect", `${host}/acs`) },
    ];
    for (const partner of changes) assert.equal(await evil.change(partner), foreign, JSON.stringify(partner));
    assert.equal(await bank.register({ entityId: `${host}/hr`, consumers: [`${host}/hr/acs`] }), done);
    // The control: the addresses that it had, also with another entity id elsewhere.
    assert.equal(await evil.change({ ...early, entityId: newEntityId(), logout: "" }), done);
  });

  test("what a server answers to an administrator of the instance is not the administrator's word", async (t) => {
    const server = await startNow(start, t);
    const [bank, evil] = [await addTenant(server, "Bank"), await addTenant(server, "Evil")];
    await proveDomain(server, bank.organizationId, "bank.example");
    const receiver = await startReceiver(t);
    const metadataUrl = `${receiver.origin}/metadata`;
    const own = { entityId: newEntityId() };
    serve(receiver, metadataOf(own));
    assert.equal(await evil.create("Fetched", { metadataUrl }), done);
    const proven = { entityId: "https://vault.bank.example/saml", consumers: ["https://vault.bank.example/acs"] };
    const claimed = { entityId: newEntityId() };
    for (const released of [proven, claimed]) {
      assert.equal(await bank.register(released), done);
      await bank.remove();
    }
    const refusals: readonly (readonly [Partner, string])[] = [
      [proven, foreign],
      [{ ...own, consumers: ["https://vault.bank.example/acs"] }, foreign],
      [claimed, taken],
    ];
    for (const [partner, outcome] of refusals) {
      serve(receiver, metadataOf(partner));
      assert.equal(await evil.fetch(metadataUrl, server.ownerToken), outcome, JSON.stringify(partner));
      assert.equal(await evil.create(`New ${partner.entityId}`, { metadataUrl }, server.ownerToken), outcome);
    }
    assert.equal((await evil.read()).entityId, own.entityId);
    // The controls: metadata that names nothing of others, and what the administrator uploads.
    const moved = { entityId: newEntityId() };
    for (const partner of [own, moved]) {
      serve(receiver, metadataOf(partner));
      assert.equal(await evil.fetch(metadataUrl, server.ownerToken), done);
    }
    assert.equal((await evil.read()).entityId, moved.entityId);
    assert.equal(await evil.register(proven, server.ownerToken), done);
    assert.equal(await evil.register(claimed, server.ownerToken), done);
  });
});
