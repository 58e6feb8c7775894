import { parseEmail, parseUsername } from "../login-name/index.ts";
import { type NewProfile, parseProfile } from "../user/index.ts";

/**
 * Checks the data of a user whose name is the address, as creating the user would, for callers that create the user
 * only later. Does not use the database.
 */
export function checkNewPerson({ email, profile }: { readonly email: string; readonly profile: NewProfile }): {
  readonly email: { readonly shown: string; readonly key: string };
  readonly displayName: string;
} {
  const address = parseEmail(email, "email");
  const { displayName } = parseProfile(profile);
  parseUsername(address.shown, "username");
  return { email: address, displayName };
}
