import type { Secret } from "../../base/secret.ts";

/**
 * What a change of a field means for the links of users. `speaker`: the field decides who says which account signed in,
 * so a change suspends the links. `manner`: it only changes how that is asked or shown.
 */
type FieldMeaning = "speaker" | "manner";

/** A field that no user could sign in with, and the error that says why. */
interface UnfitField {
  readonly field: string;
  readonly slug: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** The rules of a secret. */
interface SecretRules {
  /** The field of requests that has it. */
  readonly field: string;
  /** The error when it is missing. */
  readonly missing: { readonly slug: string };
  /** Whether it has the form that the protocol needs; any form when absent. */
  readonly isFit?: (secret: Secret) => boolean;
  /** The error when it has another form. */
  readonly unfit?: { readonly slug: string };
}

/** The rules of a kind of provider. Each kind has a file of its own. */
export interface KindRules<Configuration> {
  /**
   * The meaning of every field. The client id is a `speaker` everywhere: the owner of a client decides which servers
   * get its codes, and ids of accounts may be pairwise (OpenID Connect Core §8.1).
   */
  readonly fields: { readonly [Field in Exclude<keyof Configuration, "kind">]-?: FieldMeaning };
  /** The protocol that it speaks: the same server by another protocol is another speaker. */
  readonly protocol: "openid" | "oauth" | "jwt" | "ldap" | "saml";
  /**
   * Names the speaker where the fields do not: a well-known issuer, for example. A provider that is migrated to a
   * template of the same issuer then keeps its links.
   */
  readonly speaksAs?: (configuration: Configuration) => Readonly<Record<string, string>>;
  /** Addresses that we request or to which we send browsers, by the field that they come from. */
  readonly addresses: (configuration: Configuration) => Readonly<Record<string, string>>;
  /** Addresses of directories, all in the field `servers`; undefined for kinds without any. */
  readonly directories?: (configuration: Configuration) => {
    readonly servers: readonly string[];
    readonly startsTls: boolean;
  };
  /** Fields with invalid characters, and those that are unfit for another reason. */
  readonly unfit?: (configuration: Configuration) => readonly (string | UnfitField)[];
  /**
   * Identifies where the secret of our client is sent, for comparison: it is never sent to a server other than the one
   * that it was given for. Undefined for kinds without one.
   */
  readonly secretDestination: (configuration: Configuration) => string | undefined;
  /** What events show of the configuration; all of it when absent. */
  readonly recorded?: (configuration: Configuration) => object;
  /** The secret in requests, and its errors; a `clientSecret` of any form when absent. */
  readonly secretRules?: SecretRules;
  /** Scopes to request when the configuration names none; undefined for kinds without scopes. */
  readonly defaultScopes?: readonly string[];
  /** The name of a provider that was given none; undefined when a name is required. */
  readonly defaultName?: string;
}

/** The scopes of an OpenID provider when none are named. */
export const openIdScopes: readonly string[] = ["openid", "profile", "email"];
