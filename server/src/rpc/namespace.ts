import type { Call } from "../call/index.ts";

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

/** Returns the call with the word that its caller used. */
export const callInWord = (call: Call, word: string): Call =>
  word === namespaceWord ? call : { ...call, alias: word };

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Replaces our word inside the name of a method or message (`ListMyServicePermissions`) by another. */
export const withInnerWord = (name: string, word: string): string =>
  name.replace(/Service(?=[A-Z])/, () => capitalized(word));

/** Replaces another word inside the name of a method by ours. */
export const withoutInnerWord = (name: string, word: string): string =>
  name.replace(capitalized(word), capitalized(namespaceWord));

/** Replaces our word where it is a part of the path of a route (`/management/v1/service/docs`) by another. */
export const withPathWord = (path: string, word: string): string =>
  path
    .split("/")
    .map((part) => (part === namespaceWord ? word : part))
    .join("/");

/** The word's aliases, prepared for lookups. */
export interface Namespace {
  /** The accepted words besides ours. */
  readonly aliases: readonly string[];
  /**
   * Returns the name of a method (`service.user.v2.UserService/ListUsers`) from the path of a call, with the caller's
   * word. `ownName` has our word also inside, where the caller's word stands in the name.
   */
  methodOf(path: string): { readonly name: string; readonly ownName: string; readonly word: string } | undefined;
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
      if (!words.has(word)) return undefined;
      const name = `${namespaceWord}.${rest}`;
      return { name, ownName: word === namespaceWord ? name : withoutInnerWord(name, word), word };
    },
    organizationHeaders: [...words].map((word) => ({ name: `x-${word}-orgid`, word })),
  };
}
