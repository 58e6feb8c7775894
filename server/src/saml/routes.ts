import { endpointPaths, lateHandler, type WebRoute } from "../web/index.ts";
import type { SamlEndpointDeps } from "./deps.ts";

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
    bodyLimit: 128 * 1024,
    rateLimit: "authorization",
  });
  return [
    document(
      endpointPaths.samlMetadata,
      lateHandler(async () => (await import("./metadata.ts")).createMetadataEndpoint(deps)),
    ),
    document(
      endpointPaths.samlCertificate,
      lateHandler(async () => (await import("./metadata.ts")).createCertificateEndpoint(deps)),
    ),
    page(
      ["GET", "POST"],
      endpointPaths.samlSignOn,
      lateHandler(async () => (await import("./sign-on/endpoint.ts")).createSignOnEndpoint(deps)),
    ),
    page(
      ["GET", "POST"],
      endpointPaths.samlLogout,
      lateHandler(async () => (await import("./logout/endpoint.ts")).createLogoutEndpoint(deps)),
    ),
    page(
      ["GET"],
      endpointPaths.samlLogoutNext,
      lateHandler(async () => (await import("./logout/next.ts")).createLogoutNextEndpoint(deps)),
    ),
    page(
      ["GET"],
      endpointPaths.samlStart,
      lateHandler(async () => (await import("./sign-on/start.ts")).createStartEndpoint(deps)),
    ),
    {
      methods: ["GET"],
      path: endpointPaths.samlCallback,
      handler: lateHandler(async () => (await import("./sign-on/resume.ts")).createResumeEndpoint(deps)),
      protocol: "page",
    },
  ];
}
