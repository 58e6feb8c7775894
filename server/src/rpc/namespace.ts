/**
 * The word in packages, headers, scopes and claims of the contract. Clients for a system with the same interface and
 * another word are supported by configured aliases, and receive responses with their own word.
 */
export const namespaceWord = "service";

/**
 * Replaces our word at the beginning of a name (`service.user.v2.User`) or a path (`service/user/v2/user.proto`) by
 * another.
 */
export const withWord = (name: string, word: string): string =>
  /^service[./]/.test(name) ? word + name.slice(namespaceWord.length) : name;

/** Replaces another word at the beginning of a name or a path by ours. */
export const withoutWord = (name: string, word: string): string =>
  name.startsWith(`${word}.`) || name.startsWith(`${word}/`) ? namespaceWord + name.slice(word.length) : name;

/** The word's aliases, prepared for lookups. */
export interface Namespace {
  /** The accepted words besides ours. */
  readonly aliases: readonly string[];
  /**
   * Returns the name of a method (`service.user.v2.UserService/ListUsers`) from the path of a call, with the caller's
   * word.
   */
  methodOf(path: string): { readonly name: string; readonly word: string } | undefined;
  /** The organization header, with each accepted word in its name. */
  readonly organizationHeaders: readonly { readonly name: string; readonly word: string }[];
}

const methodPath = /^\/([a-z][a-z0-9_]*)\.((?:[a-z][a-z0-9_]*\.)*v[0-9a-z]+\.[A-Za-z]+\/[A-Za-z0-9]+)$/;

/** Creates the namespace with the accepted aliases. */
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
