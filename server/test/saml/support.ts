import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { SAML, type SamlConfig } from "@node-saml/node-saml";
import { generateSamlKeyPair, toCertificatePem } from "../../src/base/saml/index.ts";
import type { Ending, Engine } from "../support/databases/databases.ts";
import { type Template, templateOf } from "../support/databases/templates.ts";
import { fetch } from "../support/http/fetch.ts";
import type { Person } from "../support/people/people.ts";
import type { Start } from "../support/servers/each-server.ts";
import { type ServerFacts, startToFill, type TestServer } from "../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";

export const consumer = "https://sp.example/saml/acs";
export const logoutAddress = "https://sp.example/saml/slo";

/**
 * Starts a server that has the real time, as libraries of service providers have no other, and its key for SAML: to
 * make one takes as long as a test.
 */
export const startNow: (start: Start, t: Ending) => Promise<TestServer> = (start, t) =>
  start(t, { now: Date.now(), template: samlTemplate });

function samlTemplate(engine: Engine): Promise<Template<ServerFacts>> {
  return templateOf({
    name: "saml",
    engine,
    fill: async (t, location) => {
      const server = await startToFill(t, location, { time: "real" });
      const answer = await fetch(`${server.origin}/saml/v2/metadata`);
      assert.equal(answer.status, 200, await answer.text());
      return { ownerToken: server.ownerToken };
    },
  });
}

export interface KeyPair {
  readonly privateKey: string;
  /** PEM. */
  readonly certificate: string;
  /** DER in base64. */
  readonly der: string;
}

let made: Promise<KeyPair> | undefined;

/** The key of service providers, made once. */
export const partnerKey = (): Promise<KeyPair> => (made ??= makeKey());

export async function makeKey(): Promise<KeyPair> {
  const now = Date.now();
  const pair = await generateSamlKeyPair({
    random: (size) => randomBytes(size),
    commonName: "sp.example",
    notBefore: now - 1_000,
    notAfter: now + 3_600_000,
  });
  const { certificate: der } = pair;
  return { privateKey: pair.privateKey.reveal(), certificate: toCertificatePem(der), der };
}

/** What the metadata of a service provider says. */
export interface PartnerOptions {
  readonly entityId?: string;
  readonly consumers?: readonly string[];
  readonly isSigned?: boolean;
  readonly keys?: readonly string[];
  readonly encryption?: string;
  readonly logout?: string;
  readonly formats?: readonly string[];
  readonly further?: string;
  /** The metadata that the service provider wrote itself. */
  readonly document?: string;
}

let count = 0;
export const newEntityId = (): string => `https://sp${++count}.example/saml`;

/** Writes metadata. */
export function metadataOf(options: PartnerOptions & { readonly entityId: string }): string {
  const {
    entityId,
    consumers = [consumer],
    isSigned = false,
    keys = [],
    encryption,
    logout = "",
    formats = [],
  } = options;
  const descriptor = (use: string, der: string): string =>
    `<md:KeyDescriptor use="${use}"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${der}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  return `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"
    xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityId}"${options.further ?? ""}>
    <md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" AuthnRequestsSigned="${isSigned}">
    ${keys.map((der) => descriptor("signing", der)).join("")}${encryption === undefined ? "" : descriptor("encryption", encryption)}
    ${logout}${formats.map((format) => `<md:NameIDFormat>${format}</md:NameIDFormat>`).join("")}
    ${consumers.map((location, index) => `<md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${location}" index="${index}"/>`).join("")}
    </md:SPSSODescriptor></md:EntityDescriptor>`;
}

/** The endpoint for logout, by a binding. */
export const logoutService = (binding: string, location: string): string =>
  `<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${location}"/>`;

export interface Registered {
  readonly applicationId: string;
  readonly projectId: string;
  readonly entityId: string;
  readonly metadata: string;
}

/** Makes a project. */
export async function addProject(server: TestServer, body: object = {}): Promise<string> {
  const organizationId = (await server.rest("POST", "/v2/organizations/_search", { body: {} })).body.result[0].id;
  const created = await server.connect("service.project.v2.ProjectService/CreateProject", {
    organizationId,
    name: `Project ${randomBytes(4).toString("hex")}`,
    ...body,
  });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  return created.body.projectId;
}

/** Registers a service provider by the API of version 2. */
export async function register(
  server: TestServer,
  partner: PartnerOptions = {},
  {
    options,
    projectId,
    ...further
  }: { readonly options?: object; readonly projectId?: string; readonly loginVersion?: object } = {},
): Promise<Registered> {
  const entityId = partner.entityId ?? newEntityId();
  const metadata = partner.document ?? metadataOf({ ...partner, entityId });
  const project = projectId ?? (await addProject(server));
  const created = await server.connect("service.application.v2.ApplicationService/CreateApplication", {
    projectId: project,
    name: `Shop ${entityId}`,
    samlConfiguration: {
      metadataXml: Buffer.from(metadata).toString("base64"),
      ...(options !== undefined && { options }),
      ...further,
    },
  });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  assert.deepEqual(created.body.samlConfiguration, {});
  return { applicationId: created.body.applicationId, projectId: project, entityId, metadata };
}

/** The service provider of `@node-saml/node-saml`. */
export async function nodeSaml(server: TestServer, entityId: string, config: Partial<SamlConfig> = {}): Promise<SAML> {
  const idpCert = await (await fetch(`${server.origin}/saml/v2/certificate`)).text();
  return new SAML({
    callbackUrl: consumer,
    entryPoint: `${server.origin}/saml/v2/SSO`,
    logoutUrl: `${server.origin}/saml/v2/SLO`,
    issuer: entityId,
    audience: entityId,
    idpIssuer: `${server.origin}/saml/v2/metadata`,
    idpCert,
    wantAuthnResponseSigned: true,
    wantAssertionsSigned: true,
    signatureAlgorithm: "sha256",
    digestAlgorithm: "sha256",
    ...config,
  });
}

/** The path and query of an address. */
export const pathOf = (address: string): string => new URL(address).pathname + new URL(address).search;

/** The fields that a page posts to a service provider. */
export function postedBy(page: ShownPage): { readonly target: string; readonly fields: Record<string, string> } {
  const [form] = page.forms;
  assert.ok(form, `no form at ${page.address}: ${page.html}`);
  return { target: form.action, fields: Object.fromEntries(form.values) };
}

/** Opens the address of a request and signs in. */
export async function signInAt(
  server: TestServer,
  address: string,
  person: Pick<Person, "loginName" | "password">,
  browser: TestBrowser = new TestBrowser(server),
): Promise<{ readonly browser: TestBrowser; readonly page: ShownPage }> {
  const shown = await browser.open(pathOf(address));
  assert.ok(shown.address.startsWith("/ui/login?"), `${shown.address}: ${shown.html}`);
  const asked = await browser.submit(shown, { login_name: person.loginName }, { action: "/ui/login" });
  const page = await browser.submit(asked, { password: person.password }, { action: "/ui/login/password" });
  return { browser, page };
}

/** What a response says, decoded. */
export const decodeResponse = (fields: Record<string, string>): string =>
  Buffer.from(fields["SAMLResponse"] ?? "", "base64").toString("utf8");

/** The status codes of a response, outer first. */
export const statusesOf = (xml: string): string[] =>
  [...xml.matchAll(/StatusCode Value="urn:oasis:names:tc:SAML:2\.0:status:(\w+)"/g)].map(([, name = ""]) => name);
