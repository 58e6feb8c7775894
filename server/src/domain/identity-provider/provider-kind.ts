/** What is to be known of every kind of provider. Each kind has a file of its own. */
export interface KindRules<Configuration> {
  /** Addresses that we ask or send browsers to, by the field that they come from. */
  readonly addresses: (configuration: Configuration) => Readonly<Record<string, string>>;
  /** Fields with characters that cannot stand there. */
  readonly unfit?: (configuration: Configuration) => readonly string[];
  /**
   * Where the secret of our client goes, in words to compare: it is never sent to another place than the one that it was given for. Undefined
   * for kinds without one.
   */
  readonly secretPlace: (configuration: Configuration) => string | undefined;
  /** What is asked for when the configuration names no scopes; undefined for kinds that know none. */
  readonly defaultScopes?: readonly string[];
  /** The name of a provider that was given none; undefined where a name is demanded. */
  readonly defaultName?: string;
}

/** The scopes of an OpenID provider when none are named. */
export const openIdScopes: readonly string[] = ["openid", "profile", "email"];
