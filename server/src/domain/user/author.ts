import {
  type Author,
  authorOf,
  type Call,
  formatAuthor,
  isLoginClient,
  ownerOf,
  withoutLoginClient,
} from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";

/**
 * Returns whether an author held at least what the positions of a user carry now. Implemented by a later module
 * (`membership`), so it is passed in.
 */
export type MayPrepareFor = (reader: Reader, instanceId: string, author: Author, userId: string) => Promise<boolean>;

/**
 * Whether the word of a provider may sign a user in. Implemented by a later module (`membership`), so it is passed in.
 */
export type MayVouchFor = (
  reader: Reader,
  instanceId: string,
  provider: IdentityProvider,
  user: { readonly userId: string; readonly organizationId: string },
) => Promise<boolean>;

/** Dependencies of everything that lets a user in by what another prepared. */
export interface PreparedDeps {
  readonly mayPrepareFor: MayPrepareFor;
}

/**
 * Returns what to store with a credential that a call gives a user about the administrator who knows it; empty where the
 * user chose it. A sign-in application passes on what users choose.
 */
export function authorOfCredential(
  call: Call,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): string {
  const { caller } = call;
  if (caller === undefined || caller.userId === userId) return "";
  const { access } = caller;
  const isPassedOn = isLoginClient(access) && !withoutLoginClient(access).allows("user.write", { organizationId });
  return isPassedOn ? "" : formatAuthor(authorOf(call));
}

/** Returns the author of a credential as it is stored: where none is known, it was an owner of the user's organization. */
export const readAuthorOfCredential = (stored: string | null, organizationId: string): string =>
  stored ?? formatAuthor(ownerOf(organizationId));
