import { Fault } from "../../base/fault.ts";
import type { ProviderKind } from "../identity-provider/index.ts";

/** An account at an identity provider. */
export interface ExternalAccount {
  readonly identityProviderId: string;
  /** Who it is there. */
  readonly externalUserId: string;
}

/** An account with what people recognise it by. */
export interface NamedAccount extends ExternalAccount {
  readonly externalUsername: string;
}

/** The tie between a user and an account. */
export interface IdentityLink extends NamedAccount {
  readonly userId: string;
}

/** A tie as lists show it. */
export interface ListedIdentityLink extends IdentityLink {
  readonly providerName: string;
  readonly providerKind: ProviderKind;
}

/** The payload of events about a tie. */
export const linkPayload = ({ identityProviderId, externalUserId, externalUsername }: NamedAccount) => ({
  idpConfigId: identityProviderId,
  userId: externalUserId,
  displayName: externalUsername,
});

export const providerNotFound = (): Fault =>
  new Fault("not_found", "identity_link.provider_not_found", { field: "idpLink.idpId" });
