import { toCertificatePem } from "../../base/saml/index.ts";
import type { IdentityProvider, SamlConfiguration } from "../../domain/identity-provider/index.ts";
import { writeOwnMetadata } from "../../domain/identity-provider-client/index.ts";
import { findProviderForm, keepAnswer } from "../../domain/identity-provider-intent/index.ts";
import type { WebHandler, WebRequest, WebResponse, WebRoute } from "../../web/index.ts";
import { absentFile } from "../branding.ts";
import type { PageDeps } from "../deps.ts";
import { createFormPostPage } from "../relay/form-post.ts";
import { pathTo, seeOther } from "../visit/answer.ts";
import { showError } from "../visit/show-error.ts";
import { openVisit } from "../visit/visit.ts";
import { invalidAnswer, receive } from "./receive.ts";
import { takeLogoutMessage } from "./saml-logout.ts";
import { findSamlProvider, relayStateIn } from "./saml-provider.ts";

/** Creates our addresses as a service provider of SAML providers (`samlAddressesOf`). */
export const createSamlRoutes = (deps: PageDeps): WebRoute[] => [
  documentRoute(deps, "metadata", "application/samlmetadata+xml; charset=utf-8", (provider, { instance }) =>
    writeOwnMetadata(provider, instance.origin),
  ),
  documentRoute(deps, "certificate", "application/x-pem-file", ({ configuration }) =>
    toCertificatePem(configuration.certificate),
  ),
  pageRoute("GET", "/idps/saml/send", (request) => sendForm(deps, request)),
  // Another site's form arrives without our cookie, and the redirected request has it (SameSite=Lax).
  pageRoute("POST", consumerPath, (request) => keepResponse(deps, request)),
  pageRoute("GET", consumerPath, async (request) => {
    const visit = await openVisit(deps, request);
    const state = relayStateIn(visit.query);
    return state === undefined ? invalidAnswer(deps, visit) : receive(deps, visit, state, "posted");
  }),
  pageRoute("GET", logoutPath, (request) => takeLogoutMessage(deps, request)),
  pageRoute("POST", logoutPath, (request) => takeLogoutMessage(deps, request)),
];

const logoutPath = "/idps/:identityProviderId/saml/slo";
const consumerPath = "/idps/:identityProviderId/saml/acs";

// Assertions have tens of kilobytes at most; base64 makes them longer by a third.
const largestForm = 128 * 1024;

const pageRoute = (method: "GET" | "POST", path: string, handler: WebHandler): WebRoute => ({
  methods: [method],
  path,
  handler,
  protocol: "page",
  rateLimit: "login",
  bodyLimit: largestForm,
});

/** A document for administrators of the provider. It is public, as its address has to be known there. */
const documentRoute = (
  deps: PageDeps,
  name: string,
  contentType: string,
  write: (provider: IdentityProvider<SamlConfiguration>, request: WebRequest) => string,
): WebRoute => ({
  methods: ["GET"],
  path: `/idps/:identityProviderId/saml/${name}`,
  protocol: "plain",
  handler: async (request) => {
    const provider = await findSamlProvider(deps, request);
    if (provider === undefined) return absentFile(request);
    const headers = { ...absentFile(request).headers, "content-type": contentType };
    return { status: 200, headers, body: write(provider, request) };
  },
});

/** Has the browser post the request of its attempt to the provider. */
async function sendForm(deps: PageDeps, request: WebRequest): Promise<WebResponse> {
  const visit = await openVisit(deps, request);
  const key = { intentId: visit.query.get("id") ?? "", browserHash: visit.browser.hash };
  const form = await findProviderForm(deps, visit.call, key);
  if (form === undefined) return showError(deps, visit, { error: "request_expired" });
  const { url: target, fields: parameters } = form;
  return createFormPostPage(deps)(request, {
    target,
    parameters,
    uiLocales: [visit.call.language],
    isToProvider: true,
  });
}

/**
 * Stores a posted response for the attempt of its relay state. A response without one was not asked for: an attacker
 * could have another user post the attacker's own, so such sign-ins are refused (SAML Profiles §4.1.5).
 */
async function keepResponse(deps: PageDeps, request: WebRequest): Promise<WebResponse> {
  const visit = await openVisit(deps, request);
  const type = request.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") return invalidAnswer(deps, visit);
  const form = new URLSearchParams(request.body);
  const [response, ...others] = form.getAll("SAMLResponse");
  if (response === undefined || response === "" || others.length > 0) return invalidAnswer(deps, visit);
  const state = relayStateIn(form);
  const isAsked = state !== undefined && (await keepAnswer(deps, visit.call, { state, said: { response } }));
  if (!isAsked) return showError(deps, visit, { error: "external_unsolicited" });
  return seeOther(pathTo(request.path, { RelayState: state }));
}
