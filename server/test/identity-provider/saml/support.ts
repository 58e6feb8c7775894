import assert from "node:assert/strict";
import { fetch } from "../../support/http/fetch.ts";
import {
  createSamlPartner,
  formField,
  type PartnerOptions,
  type SamlAnswer,
  type SamlPartner,
  type SeenRequest,
} from "../../support/identity-provider/saml-partner.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { arrive, pages, type Told } from "../attempts.ts";
import { openOptions } from "../trusted.ts";

/** Adds a partner as a provider of the instance, and returns its id. */
export async function knowSaml(
  server: TestServer,
  partner: Pick<SamlPartner, "metadata">,
  body: object = {},
): Promise<string> {
  const { status, body: added } = await server.rest("POST", "/admin/v1/idps/saml", {
    body: {
      name: "SAML partner",
      metadataXml: Buffer.from(partner.metadata).toString("base64"),
      binding: "SAML_BINDING_REDIRECT",
      nameIdFormat: "SAML_NAME_ID_FORMAT_PERSISTENT",
      providerOptions: openOptions,
      ...body,
    },
  });
  assert.equal(status, 200, JSON.stringify(added));
  return added.id;
}

/** Creates a partner at the time of the server. */
export const partnerOf = (server: TestServer, options: Omit<PartnerOptions, "now"> = {}): Promise<SamlPartner> =>
  createSamlPartner({ now: () => server.clock.now, ...options });

/** Posts a response as the partner's page has the browser do it: without our cookies. */
export async function postResponse(consumer: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  return (await fetch(consumer, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(fields).toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: "https://saml.example",
      "sec-fetch-site": "cross-site",
    },
  })) as unknown as Response;
}

/** Starts an attempt as an application does, and returns what the partner gets. */
export async function begin(server: TestServer, partner: SamlPartner, idpId: string): Promise<SeenRequest> {
  const { status, body } = await server.rest("POST", "/v2/idp_intents", { body: { idpId, urls: pages } });
  assert.equal(status, 200, JSON.stringify(body));
  return partner.read(body.formData === undefined ? body.authUrl : body.formData.fields);
}

/** Posts a document as the answer to a request, comes back, and returns what the application is told. */
export async function comeBackWith(
  { consumer, relayState: RelayState }: Pick<SeenRequest, "consumer" | "relayState">,
  document: string,
): Promise<Told> {
  const posted = await postResponse(consumer, { SAMLResponse: formField(document), RelayState });
  await posted.arrayBuffer();
  assert.equal(posted.status, 303);
  const location = posted.headers.get("location") ?? "";
  assert.ok(!location.includes("SAMLResponse"), "the response is in no address");
  return arrive(new URL(location, consumer));
}

/** Makes a whole attempt. */
export async function attemptWith(
  server: TestServer,
  partner: SamlPartner,
  idpId: string,
  answer: SamlAnswer = {},
): Promise<Told> {
  const request = await begin(server, partner, idpId);
  return comeBackWith(request, await partner.answer(request, answer));
}

/** Returns what the provider reported in an attempt that succeeded. */
export async function reported(server: TestServer, { parameters, page }: Told) {
  assert.equal(page, "https://login.example/good", JSON.stringify(parameters));
  const { id, token } = parameters;
  const { status, body } = await server.rest("POST", `/v2/idp_intents/${id}`, { body: { idpIntentToken: token } });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Returns the id of an attempt's failure as the application is told, and its detail in the event. */
export async function failureOf(server: TestServer, told: Told): Promise<string> {
  if (told.page !== "https://login.example/bad") return `no failure: ${told.page}`;
  const { id, error } = told.parameters;
  const failed = (await recordedEvents(server)).find(
    (each) => each.aggregateId === id && each.type === "idpintent.failed",
  );
  const detail = failed?.payload["detail"];
  return typeof detail === "string" ? `${error} ${detail}` : `${error}`;
}
