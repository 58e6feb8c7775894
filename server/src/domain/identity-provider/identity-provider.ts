import type { Positions } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import type { ProviderConfiguration, ProviderKind } from "./provider-kinds.ts";

export type IdentityProviderState = "active" | "inactive";

/** How accounts at a provider become users here. */
export interface ProviderOptions {
  /** Users may link their account at the provider to their user here. */
  readonly isLinkingAllowed: boolean;
  /** Accounts without a user here may be registered as new users. */
  readonly isCreationAllowed: boolean;
  /** New users are created without asking first. */
  readonly isAutoCreation: boolean;
  /** At each sign-in, what the provider reports of a user replaces what is stored. */
  readonly isAutoUpdate: boolean;
  /** The property by which an account is matched with an existing user. */
  readonly autoLinking: AutoLinking;
}

export type AutoLinking = "none" | "username" | "email";

/** An external server that authenticates users for us. */
export interface IdentityProvider<Configuration extends ProviderConfiguration = ProviderConfiguration> {
  readonly identityProviderId: string;
  readonly instanceId: string;
  /** The organization that owns it; empty when the instance owns it. */
  readonly ownerOrganizationId: string;
  readonly name: string;
  /** An inactive provider accepts neither new attempts nor answers to those under way. */
  readonly state: IdentityProviderState;
  readonly options: ProviderOptions;
  /**
   * Identifies the server behind it (`speakerOf`). Empty while the configuration is older than this field.
   */
  readonly speaker: string;
  /**
   * What the administrators who answer for its configuration hold over its owner; what one of them may not do counts
   * for none. Undefined where that is unknown.
   */
  readonly answeredBy: readonly Positions[] | undefined;
  /** The configuration of its kind, discriminated by `kind`. */
  readonly configuration: Configuration;
  /** The secret of our client at the provider. Null when there is none; decrypted with `openProviderSecret`. */
  readonly sealedSecret: string | null;
  readonly details: Details;
}

/** What a list of offered providers has of each: metadata of SAML providers can be very long. */
export interface ProviderSummary
  extends Pick<IdentityProvider, "identityProviderId" | "ownerOrganizationId" | "name" | "state" | "options"> {
  readonly kind: ProviderKind;
}

/** The configuration of a kind. */
export type ConfigurationOf<Kind extends ProviderKind> = Extract<ProviderConfiguration, { kind: Kind }>;

/** A provider of a kind. */
export type IdentityProviderOf<Kind extends ProviderKind> = IdentityProvider<ConfigurationOf<Kind>>;

/** Context of the sealed secret: it cannot be decrypted in another row. */
export const secretContext = (instanceId: string, identityProviderId: string): string =>
  `identity_providers/${instanceId}/${identityProviderId}/sealed_secret`;
