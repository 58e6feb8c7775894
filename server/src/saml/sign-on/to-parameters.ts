import { hash } from "node:crypto";
import type { AuthRequestParameters } from "../../domain/auth-request/index.ts";
import { scopeOfAssertions } from "../../domain/saml-configuration/index.ts";
import type { AuthnRequest } from "./authn-request.ts";

/**
 * Returns the request as the common part of the protocols knows it, and as it is stored until its user has signed in.
 * The scope is what an OpenID Connect client would need for what the assertion would say now: a login client is told of
 * it. Consent is asked by the configuration in hand (`requestedScope`), which may be another one by then.
 */
export function toParameters(request: AuthnRequest): AuthRequestParameters {
  const { client, configuration, location, requestId, relayState, nameIdFormat, context, contextClasses } = request;
  return {
    redirectUri: location,
    responseType: "code",
    responseMode: "form_post",
    scope: scopeOfAssertions(configuration, nameIdFormat),
    prompt: [...(request.isPassive ? ["none"] : []), ...(request.isForced ? ["login"] : [])],
    uiLocales: [],
    ...context,
    // A request is answered once, however often it is sent.
    ...(requestId !== undefined && { referenceHash: referenceOf(client.clientId, requestId) }),
    saml: {
      entityId: configuration.partner.entityId,
      binding: request.binding,
      contextClasses,
      ...(requestId !== undefined && { requestId }),
      ...(relayState !== undefined && { relayState }),
      ...(nameIdFormat !== undefined && { nameIdFormat }),
    },
  };
}

const referenceOf = (clientId: string, requestId: string): string =>
  hash("sha256", `saml\n${clientId}\n${requestId}`, "base64url");
