/** The rules of a kind of provider. Each kind has a file of its own. */
export interface KindRules<Configuration> {
  /** Addresses that we request or to which we send browsers, by the field that they come from. */
  readonly addresses: (configuration: Configuration) => Readonly<Record<string, string>>;
  /** Fields with invalid characters. */
  readonly unfit?: (configuration: Configuration) => readonly string[];
  /**
   * Identifies where the secret of our client is sent, for comparison: it is never sent to a server other than the one
   * that it was given for. Undefined for kinds without one.
   */
  readonly secretPlace: (configuration: Configuration) => string | undefined;
  /** Scopes to request when the configuration names none; undefined for kinds without scopes. */
  readonly defaultScopes?: readonly string[];
  /** The name of a provider that was given none; undefined when a name is required. */
  readonly defaultName?: string;
}

/** The scopes of an OpenID provider when none are named. */
export const openIdScopes: readonly string[] = ["openid", "profile", "email"];
