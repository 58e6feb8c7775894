import { endpointPaths, type WebRoute } from "../web/index.ts";
import type { SamlEndpointDeps } from "./deps.ts";
import { createLogoutEndpoint } from "./logout/endpoint.ts";
import { createLogoutNextEndpoint } from "./logout/next.ts";
import { createCertificateEndpoint, createMetadataEndpoint } from "./metadata.ts";
import { createSignOnEndpoint } from "./sign-on/endpoint.ts";
import { createResumeEndpoint } from "./sign-on/resume.ts";
import { createStartEndpoint } from "./sign-on/start.ts";

/** Returns the routes of the SAML endpoints. Metadata and certificate are open to any origin, the others to none. */
export function createSamlRoutes(deps: SamlEndpointDeps): WebRoute[] {
  const document = (path: string, handler: WebRoute["handler"]): WebRoute => ({
    methods: ["GET"],
    path,
    handler,
    protocol: "plain",
    isOpenToOrigins: true,
    rateLimit: "keys",
  });
  const page = (methods: readonly string[], path: string, handler: WebRoute["handler"]): WebRoute => ({
    methods,
    path,
    handler,
    protocol: "page",
    // A message in base64, and the rest of its form.
    bodyLimit: 400 * 1024,
    rateLimit: "authorization",
  });
  return [
    document(endpointPaths.samlMetadata, createMetadataEndpoint(deps)),
    document(endpointPaths.samlCertificate, createCertificateEndpoint(deps)),
    page(["GET", "POST"], endpointPaths.samlSignOn, createSignOnEndpoint(deps)),
    page(["GET", "POST"], endpointPaths.samlLogout, createLogoutEndpoint(deps)),
    page(["GET"], endpointPaths.samlLogoutNext, createLogoutNextEndpoint(deps)),
    page(["GET"], endpointPaths.samlStart, createStartEndpoint(deps)),
    { methods: ["GET"], path: endpointPaths.samlCallback, handler: createResumeEndpoint(deps), protocol: "page" },
  ];
}
