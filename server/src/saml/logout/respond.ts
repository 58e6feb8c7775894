import { writePost, writeRedirect } from "../../base/saml/index.ts";
import type { LogoutEndpoint, SamlPartner } from "../../domain/saml-configuration/index.ts";
import { redirect } from "../../oauth/index.ts";
import type { WebRequest, WebResponse } from "../../web/index.ts";
import type { SamlEndpointDeps } from "../deps.ts";
import { entityIdOf } from "../entity.ts";
import type { PartnerClient } from "../find-partner.ts";
import { buildStatusResponse, statusResponse } from "../response/build-response.ts";
import type { SamlStatus } from "../status.ts";

/** A request to end sessions, and the status of its answer. */
export interface AnsweredLogout {
  readonly partner: PartnerClient;
  readonly requestId: string;
  readonly relayState: string | undefined;
  readonly status: SamlStatus | undefined;
  readonly binding: "redirect" | "post";
}

/** Sends the response through the browser, by the binding of the request if the metadata has it. */
export async function respondToLogout(
  deps: SamlEndpointDeps,
  request: WebRequest,
  { partner, requestId, relayState, status, binding }: AnsweredLogout,
): Promise<WebResponse> {
  const endpoint = frontEndpoint(partner.configuration.partner, binding);
  if (endpoint === undefined) return redirect("/ui/logout/done");
  const { call, instance } = request;
  const signer = (await deps.samlKeys(call)).signer();
  const destination = endpoint.responseLocation ?? endpoint.location;
  const frame = { issuer: entityIdOf(instance.origin), destination, inResponseTo: requestId, now: call.now };
  if (endpoint.binding === "redirect") {
    const message = statusResponse(deps.random, "LogoutResponse", frame, { status });
    return redirect(await writeRedirect({ destination, parameter: "SAMLResponse", message, relayState, signer }));
  }
  const message = await buildStatusResponse(deps.random, signer, "LogoutResponse", frame, { status });
  const parameters = {
    SAMLResponse: writePost(message),
    ...(relayState !== undefined && { RelayState: relayState }),
  };
  return deps.renderFormPost(request, { target: destination, parameters, uiLocales: [] });
}

/** Returns the endpoint of a service provider that is reached through the browser. */
export function frontEndpoint({ logout }: SamlPartner, preferred: "redirect" | "post"): LogoutEndpoint | undefined {
  const front = logout.filter(({ binding }) => binding !== "soap");
  return front.find(({ binding }) => binding === preferred) ?? front[0];
}
