import type { Client } from "../domain/application/index.ts";
import { findConsent } from "../domain/consent/index.ts";
import { isOfImpersonation, listFamiliesAbove, listFamilySources, type TokenFamily } from "../domain/token/index.ts";
import { consentWordsOf } from "./consent-words-of.ts";
import type { AuthorityContext } from "./context.ts";
import { mayPassOn, sharesToken } from "./may-pass-on.ts";
import { needsConsentForAnything } from "./needs-consent.ts";

/** A family with everything that it was exchanged from. */
export interface FoundedFamily {
  readonly family: TokenFamily;
  readonly above: readonly TokenFamily[];
  /** Organization of its user. */
  readonly organizationId: string | undefined;
}

/**
 * Whether the client of a token family, and the clients of everything it was exchanged from, still have access. Access
 * comes from the user's organization (it owns the project or recognizes its grant), from the instance (trust or
 * policy), or otherwise from the user's consent. Withdrawing consent revokes the family; the other grounds can end
 * without any write to the tokens that depend on them. So this is checked at each use of a token, and at each refresh
 * of an exchanged one.
 */
export async function isStillLetIn(context: AuthorityContext, founded: FoundedFamily): Promise<boolean> {
  const { family, above, organizationId } = founded;
  const ofApplications = [...above, family].filter(({ applicationId }) => applicationId !== undefined);
  const isExchanged = ({ exchangedFormat }: TokenFamily): boolean => exchangedFormat !== undefined;
  const letIn: { clientId: string; projectId: string }[] = [];
  // Families from sign-ins come first, then the others in the order of the exchanges: an exchange within a project
  // depends on the access of that project.
  for (const one of [...ofApplications.filter((each) => !isExchanged(each)), ...ofApplications.filter(isExchanged)]) {
    const client = await context.clients.find(context.instance.instanceId, one.clientId);
    if (client?.isActive !== true) return false;
    const isTaken = isExchanged(one) && sharesToken(client, letIn);
    const home = one.userId === family.userId ? organizationId : undefined;
    if (one.actor === undefined) {
      if (!isTaken && !(await isLetIn(context, one, client, home))) return false;
    } else if (await isImpersonation(context, one)) {
      const { userId = "" } = one;
      if (await needsConsentForAnything(context, { client, userId, organizationId: home })) return false;
    } else if (!(await mayStillAct(context, one, client, one === family ? above : undefined))) return false;
    letIn.push({ clientId: one.clientId, projectId: client.projectId });
  }
  return areActorsTrusted(context, founded);
}

/**
 * Whether a family is that of an impersonation: a sign-in, but one that no consent of the user lets in. What was
 * exchanged from it depends on the impersonation as well, and on its family.
 */
async function isImpersonation({ reader, instance }: AuthorityContext, { familyId }: TokenFamily): Promise<boolean> {
  const sources = await listFamilySources(reader, instance.instanceId, familyId);
  return isOfImpersonation(sources) && !sources.some(({ kind }) => kind === "family");
}

/**
 * Whether a client that acts for a user would still be given the tokens that it acts with. This needs no consent from
 * the user, but the client must not be one that needs consent. For the user of each token, the client must belong to
 * the project that the token was for, or to an organization that the user's own trusts. Whether the actor still has the
 * right is asked with the token.
 */
async function mayStillAct(
  context: AuthorityContext,
  { familyId, userId, actor }: TokenFamily,
  client: Client,
  known: readonly TokenFamily[] | undefined,
): Promise<boolean> {
  if (client.isConsentRequired) return false;
  const above = known ?? (await listFamiliesAbove(context.reader, context.instance.instanceId, familyId));
  // A token that was exchanged from one that acts already needed no token of the actor.
  const isPassedOn = above.some((one) => one.userId === userId && one.actor?.sub === actor?.sub);
  const asked = new Set(isPassedOn ? [userId] : [userId, actor?.sub]);
  for (const of of asked) {
    const given = above.filter((one) => one.userId === of);
    if (of === undefined || given.length === 0) continue;
    if (!(await mayPassOn(context, { client, userId: of, given }))) return false;
  }
  return true;
}

async function isLetIn(
  context: AuthorityContext,
  { clientId, userId, scope, claims }: TokenFamily,
  client: Client,
  organizationId: string | undefined,
): Promise<boolean> {
  const { reader, instance } = context;
  if (userId === undefined) return false;
  if (!(await needsConsentForAnything(context, { client, userId, organizationId }))) return true;
  const consent = await findConsent(reader, instance.instanceId, { userId, clientId });
  const words = await consentWordsOf(context, client, { scope, ...(claims && { claims }) });
  return words.every((word) => consent?.scopes.includes(word));
}

/**
 * Whether the instance still trusts the applications that the right to act for others went through: those of the
 * actors' tokens, and those that began to act with them.
 */
async function areActorsTrusted(
  { reader, instance: { instanceId }, clients }: AuthorityContext,
  { family, above }: FoundedFamily,
): Promise<boolean> {
  const isOfUser = ({ userId }: TokenFamily): boolean => userId === family.userId;
  const ofActors = above.filter((one) => !isOfUser(one) && one.applicationId !== undefined);
  if (ofActors.length === 0) return true;
  const acting: { readonly family: TokenFamily; readonly below: ReadonlySet<string> }[] = [];
  for (const one of [family, ...above].filter((each) => isOfUser(each) && each.actor !== undefined)) {
    const its = one === family ? above : await listFamiliesAbove(reader, instanceId, one.familyId);
    acting.push({ family: one, below: new Set(its.map(({ familyId }) => familyId)) });
  }
  for (const { familyId, clientId } of ofActors) {
    const resting = acting.filter(({ below }) => below.has(familyId));
    // Those that were exchanged from another one of them did not begin it.
    const began = resting.filter(({ below }) => !resting.some((other) => below.has(other.family.familyId)));
    for (const name of [clientId, ...began.map((one) => one.family.clientId)]) {
      if ((await clients.find(instanceId, name))?.isTrustedForApi !== true) return false;
    }
  }
  return true;
}
