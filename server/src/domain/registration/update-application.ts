import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import {
  type Application,
  type ApplicationUpdate,
  authorizeApplication,
  changeApplication,
  refuseUnexpected,
} from "../application/index.ts";
import type { OidcConfiguration } from "../oidc-configuration/index.ts";
import { endConsents } from "./end-consents.ts";

/**
 * Changes name and configuration of an application; its kind stays. An application that no longer authenticates with a
 * secret loses it: switching back requires a new secret. When its answers may go to another origin, its users are asked
 * for consent again: they agreed to the host that the page named. Refuses trust in what the caller has not seen.
 */
export async function updateApplication(
  deps: { readonly database: Database },
  call: Call,
  input: ApplicationUpdate,
): Promise<Application> {
  return deps.database.change(call, async (tx) => {
    const application = await authorizeApplication(tx, input);
    const changed = await changeApplication(tx, application, input);
    refuseUnexpected(application, changed, input.etag);
    await endConsentsIfElsewhere(tx, application, changed);
    return changed;
  });
}

/**
 * Step: ends the consents of an application whose answers may go to another origin since it was changed, or that became
 * another service provider.
 */
export async function endConsentsIfElsewhere(tx: Tx, before: Application, after: Application): Promise<void> {
  const known = originsOf(before);
  const isElsewhere = [...originsOf(after)].some((origin) => !known.has(origin));
  if (isElsewhere) await endConsents(tx, after.clientId);
}

function originsOf(application: Application): ReadonlySet<string> {
  switch (application.kind) {
    case "oidc":
      return originsOfClient(application.configuration);
    case "saml": {
      const { entityId, consumers } = application.configuration.partner;
      return new Set([entityId, ...consumers.map(({ location }) => originOf(location))]);
    }
    case "api":
      return new Set();
    default:
      return application satisfies never;
  }
}

// A development-mode pattern has no origin, so each pattern counts as a separate one.
const originsOfClient = ({ redirectUris, isDevelopmentMode }: OidcConfiguration): ReadonlySet<string> =>
  new Set(redirectUris.map((uri) => (isDevelopmentMode && /[*?{[]/.test(uri) ? uri : originOf(uri))));

// Schemes of applications have no origin of their own (`null`).
function originOf(uri: string): string {
  const url = URL.parse(uri);
  return url === null ? uri : `${url.protocol}//${url.host}`;
}
