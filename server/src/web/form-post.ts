/** A form that the browser posts to a client, or to an identity provider. */
export interface FormPost {
  /** Redirect URI, proven to belong to the client, or an address in the metadata of the provider. */
  readonly target: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Requested languages, best first. */
  readonly uiLocales: readonly string[];
  readonly isToProvider?: boolean;
}
