import type { Instant } from "../../base/clock.ts";
import { importPublicKey, type PublicKey } from "../../base/jose/index.ts";
import type { OidcConfiguration } from "../oidc-configuration/index.ts";
import type { PrivateLabeling } from "../project/index.ts";
import type { SamlConfiguration } from "../saml-configuration/index.ts";
import type { ApplicationKind } from "./application.ts";
import type { BuiltInName } from "./built-in-application.ts";

/** A public key with which a client signs its assertions, as it was checked and stored: imported only when used. */
export interface ClientKey {
  readonly keyId: string;
  readonly publicKey: string | Readonly<Record<string, unknown>>;
  readonly expiresAt: Instant;
}

/**
 * The OAuth face of an application: everything that the protocol endpoints need to know, read once and immutable. An
 * API has a configuration that allows nothing.
 */
export interface Client extends Omit<OidcConfiguration, "grantTypes" | "responseTypes"> {
  readonly instanceId: string;
  readonly clientId: string;
  readonly applicationId: string;
  readonly projectId: string;
  /** Owner of the project. */
  readonly organizationId: string;
  readonly applicationKind: ApplicationKind;
  readonly name: string;
  /** Whether the client can keep a secret (RFC 6749 §2.1): it authenticates with a secret or with a key. */
  readonly kind: "confidential" | "public";
  readonly secretHash: string | undefined;
  /**
   * Whether application, project and organization are all active, and the instance still accepts its document if it has
   * one. An inactive client gets nothing.
   */
  readonly isActive: boolean;
  /** Whether it registered itself, or is known by its document: for as long as it exists. */
  readonly isRegistered: boolean;
  /** Whether it named other addresses than those that it was registered with. */
  readonly hasOwnAddresses: boolean;
  /**
   * Users of other organizations consent before the client may act while they are away (strict profile, OpenID Connect
   * Core §11).
   */
  readonly isOfflineConsentRequired?: boolean;
  readonly grantTypes: ReadonlySet<string>;
  readonly responseTypes: ReadonlySet<string>;
  /** Settings of the project. */
  readonly isProjectRoleAssertionOn: boolean;
  readonly isAuthorizationRequired: boolean;
  readonly isProjectAccessRequired: boolean;
  readonly privateLabeling: PrivateLabeling;
  /**
   * Client ids of all applications of the project, including this one; only this one when its audience is narrow, or
   * the project has more than 100.
   */
  readonly siblingClientIds: readonly string[];
  /**
   * Audience of tokens before scopes add to it: the project and its clients (of more than 100 only this one), or this
   * client alone when its audience is narrow.
   */
  readonly audience: readonly string[];
  readonly keys: readonly ClientKey[];
  /** Only of what comes with the instance: the origin where it is, and where all its addresses are. */
  readonly builtInAt?: string;
  /** Only of what comes with the instance: what it is. */
  readonly builtInName?: BuiltInName;
  /** Longest lifetime of its access tokens in seconds; absent for that of the instance. */
  readonly longestAccessToken?: number;
  /** Only of SAML applications, which can do nothing that an OAuth client can. */
  readonly saml?: SamlConfiguration;
}

/**
 * Whether a stranger chose the addresses that the client names: it registered itself, and no administrator answers for
 * it, or it changed what it was registered with.
 */
export const isOfStranger = ({
  isRegistered,
  isConsentRequired,
  hasOwnAddresses,
}: Pick<Client, "isRegistered" | "isConsentRequired" | "hasOwnAddresses">): boolean =>
  isRegistered && (isConsentRequired || hasOwnAddresses);

/**
 * Lists the keys that may verify an assertion of the client now: those with the id that it names, and without an id at
 * most two, because it is refused unless there is one key alone. However many keys the client has, no more than two are
 * imported. Expired keys never verify anything.
 */
export function listVerificationKeys(
  client: Client,
  { now, keyId }: { readonly now: Instant; readonly keyId: string | undefined },
): PublicKey[] {
  return client.keys
    .filter((key) => key.expiresAt > now && (keyId === undefined || key.keyId === keyId))
    .slice(0, 2)
    .map((key) => ({ ...importPublicKey(key.publicKey), keyId: key.keyId }));
}
