import type { IdentityProvider } from "../identity-provider/index.ts";
import type { ExternalIdentity } from "../identity-provider-client/index.ts";
import type { Problem } from "../sign-in/index.ts";

/** An attempt that succeeded, and what a newcomer would need. */
export interface ExternalAttempt {
  readonly intentId: string;
  readonly provider: IdentityProvider;
  readonly identity: ExternalIdentity;
  /** Where somebody new becomes a user, when the request does not say. */
  readonly defaultOrganizationId: string;
  /** For whom he becomes one, as the message about his address says it. */
  readonly applicationName: string | undefined;
  /** Where the code for his address can be entered. */
  readonly urlTemplate: string;
  /** The same before there is a user: where nobody is told whether an address has an account. */
  readonly confirmTemplate: string;
  /** Where people sign in. */
  readonly signInAddress: string;
}

/** Whom an attempt is of, or why it signs nobody in. */
export type Person =
  | {
      readonly userId: string;
      readonly organizationId: string;
      /** Whether the account is his already. */
      readonly isLinked: boolean;
    }
  | { readonly newIn: string }
  | { readonly choices: ExternalChoices }
  | { readonly problem: Problem };

/** What somebody whom nobody knows here may do: at least one of the two. */
export interface ExternalChoices {
  /** The organization in which he may become a user. */
  readonly registerIn: string | undefined;
  /** Whether he may tie the account to the user that he is here. */
  readonly mayLink: boolean;
}

/** The account of an attempt, as links name it. */
export const accountOf = ({ provider, identity }: Pick<ExternalAttempt, "provider" | "identity">) => ({
  identityProviderId: provider.identityProviderId,
  externalUserId: identity.subject,
  externalUsername: identity.username,
});
