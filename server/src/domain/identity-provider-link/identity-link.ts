import { Fault } from "../../base/fault.ts";
import { type Author, parseAuthor } from "../../call/index.ts";
import type { ProviderKind } from "../identity-provider/index.ts";

/** An account at an identity provider. */
export interface ExternalAccount {
  readonly identityProviderId: string;
  /** Id of the account at the provider. */
  readonly externalUserId: string;
}

/** An account with the name by which people recognize it. */
export interface NamedAccount extends ExternalAccount {
  readonly externalUsername: string;
}

/** An account that was said to be a user's, with the provider's speaker at the time. */
export interface SpokenAccount extends NamedAccount {
  /** The provider's `speaker` when the account was named. */
  readonly speaker: string;
}

/** The link between a user and an account. */
export interface IdentityLink extends SpokenAccount {
  readonly userId: string;
  /**
   * The organization where alone the link counts: its administrators said that the account is the user's, or the user
   * was created there without a question. Null for any other link.
   */
  readonly assertedIn: string | null;
  /**
   * What the administrator who said so administered then, as it is stored, or who could have opened the session in
   * which the account was proven. Null where the user alone proved it, and where it is not known; where the user alone
   * proved a link that counts in one organization, `ownProof`.
   */
  readonly author: string | null;
  /**
   * 1 when a link that counts in the whole instance came beside what other organizations said of the account. It yields
   * to a user who signs in otherwise and proves the account (`LinkReach`).
   */
  readonly isYielding: number;
}

/** What a link counts by: whatever holds for one of a kind holds for all. */
export type LinkKind = Pick<IdentityLink, "userId" | "identityProviderId" | "speaker" | "assertedIn" | "author">;

/** How many accounts a user has at most. */
export const mostLinks = 100;

/** The author of a link that the user alone proved. */
export const ownProof: Author = { preparedBy: [] };

/** Whether the user proved the account; in which session decides only for whom it is good. */
export const isProof = ({ author, assertedIn }: Pick<IdentityLink, "author" | "assertedIn">): boolean =>
  author === null ? assertedIn === null : "preparedBy" in parseAuthor(author);

/** A link as lists show it. */
export interface ListedIdentityLink extends IdentityLink {
  readonly providerName: string;
  readonly providerKind: ProviderKind;
  /**
   * Whether the provider has had another speaker since the account was linked, or the administrator who linked it held
   * less than the user does now: then the link signs no user in, until the account is linked again.
   */
  readonly isSuspended: boolean;
}

/** Builds the payload of events about a link. */
export const linkPayload = ({ identityProviderId, externalUserId, externalUsername }: NamedAccount) => ({
  idpConfigId: identityProviderId,
  userId: externalUserId,
  displayName: externalUsername,
});

/** The error for a user for whom the provider cannot vouch. `field` is empty where no field names the account. */
export const providerNotTrusted = (field = ""): Fault =>
  new Fault("permission_denied", "identity_link.provider_not_trusted", field === "" ? {} : { field });

export const providerNotFound = (): Fault =>
  new Fault("not_found", "identity_link.provider_not_found", { field: "idpLink.idpId" });
