/**
 * The kind of the row that says which of its own providers an organization offers while its login settings follow the
 * instance. It is no document of settings: an organization that has login settings of its own has no such row.
 */
export const offeredKind = "offered_providers";

interface Offered {
  readonly identityProviderIds: readonly string[];
}

/** Reads such a row; nothing is offered where there is none. */
export const offeredIn = (document: string | undefined): readonly string[] =>
  document === undefined ? [] : (JSON.parse(document) as Offered).identityProviderIds;

/** Returns login settings of the instance with the providers that an organization offers beside them. */
export const withOffered = <Settings extends Offered>(settings: Settings, offered: readonly string[]): Settings =>
  offered.length === 0
    ? settings
    : { ...settings, identityProviderIds: [...new Set([...settings.identityProviderIds, ...offered])] };

/** The same of settings of any kind: those of other kinds offer nothing. */
export const withAllOffered = <Settings extends object>(settings: Settings, offered: readonly string[]): Settings =>
  namesProviders(settings) ? withOffered(settings, offered) : settings;

const namesProviders = <Settings extends object>(settings: Settings): settings is Settings & Offered =>
  "identityProviderIds" in settings;
