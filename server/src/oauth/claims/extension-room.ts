import { isProtocolClaim } from "../../domain/oidc-configuration/index.ts";

/** The claims of a token or response while others add to them. */
export interface ExtensionRoom {
  /** The claims that there were, with those that were added. */
  claims(): Readonly<Record<string, unknown>>;
  /**
   * Adds claims, and returns the log entries that are kept, with one for each claim that was rejected: existing claims
   * stay, and those of the protocol and of our namespace are not added.
   */
  add(wanted: Addition): readonly string[];
}

interface Addition {
  readonly claims: readonly { readonly key: string; readonly value: unknown }[];
  readonly logs: readonly string[];
}

// A token has to fit into a header, with all its other claims.
const largestExtension = 8_192;
const mostLogs = 100;

/** Creates the room that targets and scripts share. */
export function createExtensionRoom(
  aliases: readonly string[],
  present: Readonly<Record<string, unknown>>,
): ExtensionRoom {
  const added: Record<string, unknown> = {};
  let size = 0;
  let kept = 0;
  const fits = (text: string): boolean => {
    size += text.length;
    return size <= largestExtension;
  };
  return {
    claims: () => ({ ...present, ...added }),
    add: ({ claims, logs }) => {
      const rejected = claims.flatMap(({ key, value }) => {
        const json = JSON.stringify(value);
        if (isOurs(aliases, key)) return [`claim ${shortened(key)} is reserved`];
        if (Object.hasOwn(present, key) || Object.hasOwn(added, key)) return [`claim ${shortened(key)} exists already`];
        if (json === undefined || !fits(key + json)) return [`claim ${shortened(key)} does not fit`];
        added[key] = value;
        return [];
      });
      const entries = [...rejected, ...logs.filter(fits)].slice(0, mostLogs - kept);
      kept += entries.length;
      return entries;
    },
  };
}

const shortened = (key: string): string => key.slice(0, 100);

const isOurs = (aliases: readonly string[], key: string): boolean =>
  isProtocolClaim(key) || ["service", ...aliases].some((word) => key.startsWith(`urn:${word}:iam`));
