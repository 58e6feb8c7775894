import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { PersonChange, ScriptTrust } from "../script/index.ts";
import { type BrowserVisit, describeVisit, type SignInDeps } from "../sign-in/index.ts";
import type { ExternalAttempt, Person } from "./external-attempt.ts";

/**
 * Lets scripts of an organization change what the provider said: of the user's, or of the one in which the account may
 * become a user. Whose the account is was decided before, by what the provider itself said, so that no script chooses
 * among the users of others. A user whom a page asks first has nothing to do with the organization until they agree
 * (`isAgreed`). Undefined when a script refuses the account.
 */
export async function consultScripts(
  { signInScripts }: Pick<SignInDeps, "signInScripts">,
  call: Call,
  visit: BrowserVisit,
  {
    attempt,
    person,
    isAgreed = false,
  }: { readonly attempt: ExternalAttempt; readonly person: Person; readonly isAgreed?: boolean },
): Promise<ExternalAttempt | undefined> {
  const organizationId = isAgreed || !isAsked(person) ? organizationOf(person) : undefined;
  if (organizationId === undefined) return attempt;
  // What opens the user's account elsewhere is for those who answer for the provider. In an organization everyone who
  // may write its scripts also may change its providers.
  const { ownerOrganizationId } = attempt.provider;
  const answersForProvider = (trust: ScriptTrust): boolean =>
    ownerOrganizationId === "" ? trust.seesProviderTokens : ownerOrganizationId === organizationId;
  const input = (change: PersonChange, trust: ScriptTrust): object => ({
    ...describe(call, visit, { attempt, person, change }),
    ...(answersForProvider(trust) ? describeTokens(attempt) : {}),
  });
  try {
    return { ...attempt, change: await signInScripts.afterProvider(call, { organizationId, input }) };
  } catch (error) {
    if (!(error instanceof Fault) || error.id !== "execution.failed") throw error;
    return undefined;
  }
}

const isAsked = (person: Person): boolean =>
  ("userId" in person && person.isAsked) || ("choices" in person && person.choices.isAsked);

/** Returns the organization that a person belongs to, or may come to belong to. */
export function organizationOf(person: Person): string | undefined {
  if ("userId" in person) return person.organizationId;
  if ("newIn" in person) return person.newIn;
  return "choices" in person ? person.choices.registerIn : undefined;
}

const describeTokens = ({ identity: { tokens } }: ExternalAttempt): object => ({
  accessToken: tokens.accessToken?.reveal() ?? "",
  refreshToken: tokens.refreshToken?.reveal() ?? "",
  idToken: tokens.idToken?.reveal() ?? "",
});

function describe(
  call: Call,
  visit: BrowserVisit,
  {
    attempt: { identity, provider },
    person,
    change,
  }: { readonly attempt: ExternalAttempt; readonly person: Person; readonly change: PersonChange },
): object {
  const { email, phone, isEmailVerified, isPhoneVerified, raw } = identity;
  const said = { ...identity, ...change };
  const known = "userId" in person ? { userId: person.userId, organizationId: person.organizationId } : {};
  return {
    ...describeVisit(call, visit, { ...known, loginName: identity.username }),
    claims: raw,
    authError: "none",
    providerInfo: { ...raw, rawInfo: raw },
    externalUser: {
      externalId: identity.subject,
      externalIdpId: provider.identityProviderId,
      human: {
        firstName: said.givenName ?? "",
        lastName: said.familyName ?? "",
        nickName: said.nickName ?? "",
        displayName: said.displayName ?? "",
        preferredLanguage: said.preferredLanguage ?? "",
        email: change.email ?? email ?? "",
        isEmailVerified: change.isEmailVerified ?? isEmailVerified,
        phone: change.phone ?? phone ?? "",
        isPhoneVerified: change.isPhoneVerified ?? isPhoneVerified,
      },
    },
  };
}
