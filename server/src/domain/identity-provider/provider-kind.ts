/**
 * What a change of a field means for the links of users. `speaker`: the field decides who says which account signed in,
 * so a change suspends the links. `manner`: it only changes how that is asked or shown.
 */
type FieldMeaning = "speaker" | "manner";

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
  /** Fields with invalid characters. */
  readonly unfit?: (configuration: Configuration) => readonly string[];
  /**
   * Identifies where the secret of our client is sent, for comparison: it is never sent to a server other than the one
   * that it was given for. Undefined for kinds without one.
   */
  readonly secretDestination: (configuration: Configuration) => string | undefined;
  /** What events show of the configuration; all of it when absent. */
  readonly recorded?: (configuration: Configuration) => object;
  /** The field of requests with the secret, and the error when it is missing; those of `clientSecret` when absent. */
  readonly secretMissing?: { readonly field: string; readonly slug: string };
  /** Scopes to request when the configuration names none; undefined for kinds without scopes. */
  readonly defaultScopes?: readonly string[];
  /** The name of a provider that was given none; undefined when a name is required. */
  readonly defaultName?: string;
}

/** The scopes of an OpenID provider when none are named. */
export const openIdScopes: readonly string[] = ["openid", "profile", "email"];
