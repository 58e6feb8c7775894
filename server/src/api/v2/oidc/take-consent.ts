import {
  authorityContext,
  consentWordsOf,
  isStillAsShown,
  needsConsent,
  requestedScope,
  shownConsent,
} from "../../../authority/index.ts";
import type { Call } from "../../../call/index.ts";
import type { Client } from "../../../domain/application/index.ts";
import type { AuthRequestParameters } from "../../../domain/auth-request/index.ts";
import { giveConsent } from "../../../domain/consent/index.ts";
import { preparationsOf, type Session } from "../../../domain/session/index.ts";
import type { OAuthDeps } from "../../../oauth/index.ts";

/** A consent that a login reports. */
export interface ReportedConsent {
  readonly client: Client;
  readonly parameters: AuthRequestParameters;
  readonly session: Session;
}

/**
 * Keeps a consent that a login reports, where one is needed; false when the client has changed since the login heard of
 * the request.
 */
export async function takeConsent(
  deps: OAuthDeps,
  call: Call,
  { client, parameters, session }: ReportedConsent,
): Promise<boolean> {
  const { userId = "" } = session;
  const context = await authorityContext(deps, call);
  if (!(await needsConsent(context, { client, userId }, parameters))) return true;
  // The login heard of no more than the scope of then.
  if (requestedScope(client, parameters) !== parameters.scope) return false;
  const words = await consentWordsOf(context, client, parameters);
  return keepConsent(deps, call, { client, clientVersion: parameters.clientVersion, words }, session);
}

interface Reported {
  readonly client: Client;
  /** What the client was when the request came in. Undefined for requests that waited during an upgrade. */
  readonly clientVersion: string | undefined;
  readonly words: readonly string[];
}

/** Keeps a consent that the login reports; false when the client has changed since the login heard of the request. */
function keepConsent(
  deps: OAuthDeps,
  call: Call,
  { client, clientVersion, words }: Reported,
  session: Session,
): Promise<boolean> {
  const { clientId } = client;
  const { userId = "", organizationId = "" } = session;
  const preparedBy = preparationsOf(session);
  return deps.database.change(call, async (tx) => {
    if (clientVersion !== undefined) {
      const shown = shownConsent(clientVersion, words);
      if (!(await isStillAsShown(tx, client, { shown, words }))) return false;
    }
    await giveConsent(tx, { userId, organizationId, clientId, scopes: words, preparedBy });
    return true;
  });
}
