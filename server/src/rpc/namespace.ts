/**
 * The word that stands in packages, headers, scopes and claims of the contract. Clients written for a system with the same interface and
 * another word are understood by configured aliases, and answered with the word that they used.
 */
export const namespaceWord = "service";

/** Puts another word for ours at the beginning of a name (`service.user.v2.User`) or a path (`service/user/v2/user.proto`). */
export const withWord = (name: string, word: string): string =>
  /^service[./]/.test(name) ? word + name.slice(namespaceWord.length) : name;

/** Puts our word for another at the beginning of a name or a path. */
export const withoutWord = (name: string, word: string): string =>
  name.startsWith(`${word}.`) || name.startsWith(`${word}/`) ? namespaceWord + name.slice(word.length) : name;

/** The word's aliases, ready to be looked up. */
export interface Namespace {
  /** The words that are accepted beside ours. */
  readonly aliases: readonly string[];
  /** Name of a method (`service.user.v2.UserService/ListUsers`) from the path of a call, with the word that the caller used. */
  methodOf(path: string): { readonly name: string; readonly word: string } | undefined;
  /** The organization header, whichever word its name carries. */
  readonly organizationHeaders: readonly { readonly name: string; readonly word: string }[];
}

const methodPath = /^\/([a-z][a-z0-9_]*)\.((?:[a-z][a-z0-9_]*\.)*v[0-9a-z]+\.[A-Za-z]+\/[A-Za-z0-9]+)$/;

/** The namespace word with the aliases that are accepted beside it. */
export function createNamespace(aliases: readonly string[]): Namespace {
  const words = new Set([namespaceWord, ...aliases]);
  return {
    aliases: [...words].filter((word) => word !== namespaceWord),
    methodOf: (path) => {
      const match = methodPath.exec(path);
      const [, word = "", rest = ""] = match ?? [];
      return words.has(word) ? { name: `${namespaceWord}.${rest}`, word } : undefined;
    },
    organizationHeaders: [...words].map((word) => ({ name: `x-${word}-orgid`, word })),
  };
}
