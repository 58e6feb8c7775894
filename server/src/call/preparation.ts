/**
 * What others know or control of a first factor: a password, a key or a link that an administrator gave the user
 * (`Author`, as it is stored), or a provider, by the one who speaks for it.
 */
export type Preparation =
  | { readonly author: string }
  | { readonly identityProviderId: string; readonly speaker: string };
