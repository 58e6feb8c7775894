import type { Tx } from "../database/index.ts";
import type { AuthRequestParameters } from "../domain/auth-request/index.ts";
import { holdConsent } from "../domain/consent/index.ts";
import { listFamiliesAbove, type TokenFamily } from "../domain/token/index.ts";
import { consentWordsOf } from "./consent-words-of.ts";
import type { AuthorityContext } from "./context.ts";
import type { ClientOfUser } from "./is-foreign.ts";
import { isStillLetIn } from "./is-still-let-in.ts";
import { needsConsent, needsConsentForAnything } from "./needs-consent.ts";

type Request = Pick<AuthRequestParameters, "scope" | "claims" | "resources">;

/**
 * Step: whether the user still lets the client have what an answered request asked for. Between the answer and the
 * first tokens (a code, an approved device) the user may have taken the access away, or the client may have changed
 * itself. The consent stays locked, so that it is not withdrawn beside the tokens that depend on it. True where no
 * consent is needed.
 */
export async function isStillConsented(
  tx: Tx,
  context: AuthorityContext,
  of: ClientOfUser,
  request: Request,
): Promise<boolean> {
  const { scope, resources = [] } = request;
  return !(await needsConsent(context, of, { scope, resources })) || (await isCovered(tx, context, of, request));
}

/**
 * Step: the same for a refresh, which needs the consent of a client that gets nothing without it. Where only a part of
 * the scope depends on consent, and for resources, whose owners add scopes later, `decideAuthority` leaves that part
 * out. Tokens of an exchange depend on the consents to the clients of those that they were exchanged from.
 */
export async function isRefreshConsented(
  tx: Tx,
  context: AuthorityContext,
  { client, family }: { readonly client: ClientOfUser["client"]; readonly family: TokenFamily },
): Promise<boolean> {
  const { familyId, userId, exchangedFormat, scope, claims } = family;
  if (userId === undefined) return true;
  if (exchangedFormat !== undefined) {
    const above = await listFamiliesAbove(tx, tx.instanceId, familyId);
    return isStillLetIn(context, { family, above, organizationId: undefined });
  }
  const of = { client, userId };
  if (!(await needsConsentForAnything(context, of))) return true;
  const given = await findWords(tx, of);
  const needed = await consentWordsOf(context, client, { scope, ...(claims && { claims }) });
  return given !== undefined && needed.every((word) => given.has(word));
}

async function isCovered(tx: Tx, context: AuthorityContext, of: ClientOfUser, request: Request): Promise<boolean> {
  const given = await findWords(tx, of);
  const needed = await consentWordsOf(context, of.client, request);
  return needed.every((word) => given?.has(word));
}

const findWords = async (tx: Tx, { client, userId }: ClientOfUser): Promise<ReadonlySet<string> | undefined> => {
  const consent = await holdConsent(tx, { userId, clientId: client.clientId }, "share");
  return consent && new Set(consent.scopes);
};
