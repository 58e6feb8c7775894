import { laterEndpoints } from "./after-endpoints.ts";
import type { Guide, GuidePart } from "./guide.ts";
import { beginningEndpoints } from "./oauth-endpoints.ts";
import { samlEndpoints } from "./saml-endpoints.ts";
import { startGuides } from "./start.ts";
import { tokenEndpoint } from "./token-endpoint.ts";

const [discovery, authorize, pushed, device] = beginningEndpoints;

/** All guides, in the order of the navigation. */
export const guides: readonly Guide[] = [
  ...startGuides,
  ...[discovery, authorize, pushed, tokenEndpoint, device].filter((guide) => guide !== undefined),
  ...laterEndpoints,
  ...samlEndpoints,
];

/** What the navigation calls each part. */
export const partNames: Readonly<Record<GuidePart, string>> = {
  start: "Get started",
  oauth: "OAuth 2.0 and OpenID Connect",
  saml: "SAML 2.0",
};
