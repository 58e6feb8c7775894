/**
 * Returns a name so that no mail program makes a link of it, with a space in each address that it contains. Users and
 * organizations choose their names, and could otherwise have this server send their links to strangers.
 */
export const withoutLinks = (name: string): string =>
  name.replace(/:(?=\/\/)/g, ": ").replace(/(?<=[\p{L}\p{M}\p{N}])[.․﹒。．｡](?=[\p{L}\p{N}])/gu, (dot) => `${dot} `);

/**
 * Does the same for the name that a user signs in with, which has to be shown as it is: before the domain of its
 * organization it makes a link only with a path.
 */
export const withoutPaths = (loginName: string): string =>
  /[/?#\uFF0F]/.test(loginName) ? withoutLinks(loginName) : loginName;
