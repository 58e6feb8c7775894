import { parseEmail, parseUsername } from "./identifier.ts";
import { type NewProfile, parseProfile } from "./profile.ts";

/**
 * Refuses what cannot be a person whose address is the name, as making him would; for who makes him only later. Asks nothing of the database.
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
