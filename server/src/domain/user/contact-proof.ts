import { authorOf, type Call, formatAuthor, withoutLoginClient } from "../../call/index.ts";

/** How an address or a number was proven to be a user's. */
export type ContactProof =
  /** By a code that was sent to it. */
  | { readonly by: "code" }
  /** Asserted by an administrator, when the user was imported or otherwise. */
  | {
      readonly by: "administrator" | "import";
      readonly level: "system" | "instance" | "organization";
      /** The organization whose administrator asserted it; absent above that level. */
      readonly organizationId?: string;
      /** The administrator (`Author`, as it is stored); absent where that was not kept. */
      readonly author?: string;
    }
  /**
   * By an identity provider, of an organization or, where that is empty, of the instance. Of a user whom a provider of
   * the instance brought into another organization than the default one without a question, that organization.
   */
  | {
      readonly by: "provider";
      readonly identityProviderId: string;
      readonly organizationId: string;
      /** The provider's speaker at the time; absent where that was not kept. */
      readonly speaker?: string;
    };

/**
 * Returns the proof that consists of the caller's assertion about a user of an organization. An assertion of
 * administrators of an organization counts in that organization alone, and so does one of a sign-in application, which
 * passes on what users of every organization say (A14). So does one without a caller.
 */
export function assertedBy(
  call: Call,
  organizationId: string,
  by: "administrator" | "import" = "administrator",
): ContactProof {
  const { caller } = call;
  const author = caller && { author: formatAuthor(authorOf(call)) };
  const access = caller && withoutLoginClient(caller.access);
  if (access?.allows("user.write", {}) !== true) return { by, level: "organization", organizationId, ...author };
  const isOfSystem = access.holdsAnywhere("user.write", ["system"]);
  return { by, level: isOfSystem ? "system" : "instance", ...author };
}

/** Whether a proof counts in the whole instance, and not just in the organization of the user. */
export function reachesInstance(proof: ContactProof | undefined): boolean {
  switch (proof?.by) {
    case "code":
      return true;
    case "administrator":
    case "import":
      return proof.level !== "organization";
    case "provider":
      return proof.organizationId === "";
    case undefined:
      return false;
    default:
      return proof satisfies never;
  }
}

/** Returns a proof as events have it: without what its author administered, which readers of events need not learn. */
export function toldProof(proof: ContactProof | undefined): ContactProof | undefined {
  if (proof === undefined || proof.by === "code") return proof;
  if (proof.by === "provider") {
    const { speaker: _, ...told } = proof;
    return told;
  }
  const { author: _, ...told } = proof;
  return told;
}

/** Reads a stored proof. */
export const parseProof = (text: string | null | undefined): ContactProof | undefined =>
  text === null || text === undefined ? undefined : (JSON.parse(text) as ContactProof);

/** Returns a proof as it is stored. */
export const formatProof = (proof: ContactProof | undefined): string | null =>
  proof === undefined ? null : JSON.stringify(proof);
