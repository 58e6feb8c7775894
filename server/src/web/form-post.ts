/** A form that the browser posts to a client. */
export interface FormPost {
  /** Redirect URI, proven to belong to the client. */
  readonly target: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Requested languages, best first. */
  readonly uiLocales: readonly string[];
}
