import type { Instant } from "../../base/clock.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import type { ExternalIdentity } from "../identity-provider-client/index.ts";
import type { PersonChange } from "../script/index.ts";
import type { Problem } from "../sign-in/index.ts";

/** An attempt that succeeded at the provider, with what creating a user needs. */
export interface ExternalAttempt {
  readonly intentId: string;
  readonly provider: IdentityProvider;
  readonly identity: ExternalIdentity;
  readonly answeredAt: Instant;
  /** What scripts of the user's organization made of what the provider said; absent before they ran. */
  readonly change?: PersonChange;
  /** The organization in which a new user is created, when the request does not say. */
  readonly defaultOrganizationId: string;
  /** The application named in the message that verifies the new user's address. */
  readonly applicationName: string | undefined;
  /** Where the code for the new user's address can be entered. */
  readonly urlTemplate: string;
  /** The same before the user exists: where it is not disclosed whether an address has an account. */
  readonly confirmTemplate: string;
  /** Where users sign in. */
  readonly signInAddress: string;
}

/** The user of an attempt, or why it cannot sign the user in. */
export type Person =
  | {
      readonly userId: string;
      readonly organizationId: string;
      /** The sign-in epoch of the user from before the link was used. */
      readonly signInEpoch: number;
      /** Whether the account is linked to the user already. */
      readonly isLinked: boolean;
      /** Whether the user agrees first: only the scope of a request made the word of the organization count. */
      readonly isAsked: boolean;
    }
  | { readonly newIn: string }
  | { readonly choices: ExternalChoices }
  | {
      readonly problem: Problem;
      /** The user whose account it is; undefined where that is not known. */
      readonly user?: { readonly userId: string; readonly organizationId: string };
    };

/** The choices for an account that is unknown here: at least one of the two. */
export interface ExternalChoices {
  /** The organization in which a user may be created. */
  readonly registerIn: string | undefined;
  /** Whether the account may be linked to an existing user. */
  readonly mayLink: boolean;
  /**
   * Whether only a link named the organization or led to its provider, or the account or its address is known
   * elsewhere, so that the page has to name the organization.
   */
  readonly isAsked: boolean;
}

/** Returns the account of an attempt, as links name it. */
export const accountOf = ({ provider, identity }: Pick<ExternalAttempt, "provider" | "identity">) => ({
  identityProviderId: provider.identityProviderId,
  speaker: provider.speaker,
  externalUserId: identity.subject,
  externalUsername: identity.username,
});
