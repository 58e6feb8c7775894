/**
 * What others know or control of a first factor: a password, a key or a link that an administrator gave the user
 * (`Author`, as it is stored), or a provider, by its speaker at the time.
 */
export type Preparation = (
  | { readonly author: string }
  | { readonly identityProviderId: string; readonly speaker: string }
) & {
  /**
   * The mark of the address or number that they named, and whose readers could have opened this (`markOfRecipient` of
   * `contact`). While it is the user's, so is what was opened by it.
   */
  readonly recipient?: string;
};
