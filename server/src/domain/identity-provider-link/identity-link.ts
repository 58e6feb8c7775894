import { Fault } from "../../base/fault.ts";
import type { ProviderKind } from "../identity-provider/index.ts";

/** An account at an identity provider. */
export interface ExternalAccount {
  readonly identityProviderId: string;
  /** Id of the account at the provider. */
  readonly externalUserId: string;
}

/** An account with the name by which people recognise it. */
export interface NamedAccount extends ExternalAccount {
  readonly externalUsername: string;
}

/** The link between a user and an account. */
export interface IdentityLink extends NamedAccount {
  readonly userId: string;
}

/** A link as lists show it. */
export interface ListedIdentityLink extends IdentityLink {
  readonly providerName: string;
  readonly providerKind: ProviderKind;
}

/** Builds the payload of events about a link. */
export const linkPayload = ({ identityProviderId, externalUserId, externalUsername }: NamedAccount) => ({
  idpConfigId: identityProviderId,
  userId: externalUserId,
  displayName: externalUsername,
});

export const providerNotFound = (): Fault =>
  new Fault("not_found", "identity_link.provider_not_found", { field: "idpLink.idpId" });
