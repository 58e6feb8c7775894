import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import {
  type Application,
  type ApplicationUpdate,
  authorizeApplication,
  changeApplication,
} from "../application/index.ts";
import type { OidcConfiguration } from "../oidc-configuration/index.ts";
import { endConsents } from "./end-consents.ts";

/**
 * Changes name and configuration of an application; its kind stays. An application that no longer authenticates with a
 * secret loses it: switching back requires a new secret. When its answers may go to another origin, its users are asked
 * for consent again: they agreed to the host that the page named.
 */
export async function updateApplication(
  deps: { readonly database: Database },
  call: Call,
  input: ApplicationUpdate,
): Promise<Application> {
  return deps.database.change(call, async (tx) => {
    const application = await authorizeApplication(tx, input);
    const changed = await changeApplication(tx, application, input);
    if (mayAnswerElsewhere(application, changed)) await endConsents(tx, changed.clientId);
    return changed;
  });
}

function mayAnswerElsewhere(before: Application, after: Application): boolean {
  if (before.kind !== "oidc" || after.kind !== "oidc") return false;
  const known = originsOf(before.configuration);
  return [...originsOf(after.configuration)].some((origin) => !known.has(origin));
}

// A development-mode pattern has no origin, so each pattern counts as a separate one.
const originsOf = ({ redirectUris, isDevelopmentMode }: OidcConfiguration): ReadonlySet<string> =>
  new Set(redirectUris.map((uri) => (isDevelopmentMode && /[*?{[]/.test(uri) ? uri : originOf(uri))));

// Schemes of applications have no origin of their own (`null`).
function originOf(uri: string): string {
  const url = URL.parse(uri);
  return url === null ? uri : `${url.protocol}//${url.host}`;
}
