import type { Details } from "../../database/index.ts";
import type { ProviderConfiguration, ProviderKind } from "./provider-kinds.ts";

export type IdentityProviderState = "active" | "inactive";

/** How people who come from a provider become users here. */
export interface ProviderOptions {
  /** People may tie their account there to the user that they are here. */
  readonly isLinkingAllowed: boolean;
  /** People whom nobody knows here may become users. */
  readonly isCreationAllowed: boolean;
  /** They become users without being asked. */
  readonly isAutoCreation: boolean;
  /** What the provider says of somebody replaces what is stored, at each sign-in. */
  readonly isAutoUpdate: boolean;
  /** By what a person is recognised as a user who exists. */
  readonly autoLinking: AutoLinking;
}

export type AutoLinking = "none" | "username" | "email";

/** A server of somebody else whose word about who somebody is counts here. */
export interface IdentityProvider<Configuration extends ProviderConfiguration = ProviderConfiguration> {
  readonly identityProviderId: string;
  readonly instanceId: string;
  /** The organization that it belongs to; empty when it is the instance's. */
  readonly ownerOrganizationId: string;
  readonly name: string;
  /** Of an inactive one nothing is taken: neither new attempts nor answers to those under way. */
  readonly state: IdentityProviderState;
  readonly options: ProviderOptions;
  /** What the kind needs, told apart by `kind`. */
  readonly configuration: Configuration;
  /** The secret of our client there. Null when there is none; opened with `openProviderSecret`. */
  readonly sealedSecret: string | null;
  readonly details: Details;
}

/** The configuration of a kind. */
export type ConfigurationOf<Kind extends ProviderKind> = Extract<ProviderConfiguration, { kind: Kind }>;

/** A provider of a kind. */
export type IdentityProviderOf<Kind extends ProviderKind> = IdentityProvider<ConfigurationOf<Kind>>;

/** Where the vault believes a secret to be: in another row it cannot be read. */
export const secretContext = (instanceId: string, identityProviderId: string): string =>
  `identity_providers/${instanceId}/${identityProviderId}/sealed_secret`;
