import type { PersonChange } from "../../domain/script/index.ts";
import { type Effects, InvalidEffects } from "./effects.ts";

const longestText = 200;

const genders = [undefined, "female", "male", "diverse"] as const;

/**
 * Reads what a script set of a user. A field that it set to nothing stays as it was. Throws InvalidEffects for what is
 * no text, switch or gender.
 */
export function readPersonChange({ fields, metadata }: Effects): PersonChange {
  const text = (from: string, to: keyof PersonChange): Partial<PersonChange> => {
    const value = fields[from];
    if (value === undefined || value === null) return {};
    if (typeof value !== "string" || value.length > longestText)
      throw new InvalidEffects(`${from} is not a short text`);
    return value.trim() === "" ? {} : { [to]: value.trim() };
  };
  const flag = (name: "isEmailVerified" | "isPhoneVerified"): Partial<PersonChange> => {
    const value = fields[name];
    if (value === undefined || value === null) return {};
    if (typeof value !== "boolean") throw new InvalidEffects(`${name} is neither true nor false`);
    return { [name]: value };
  };
  return {
    ...text("firstName", "givenName"),
    ...text("lastName", "familyName"),
    ...text("nickName", "nickName"),
    ...text("displayName", "displayName"),
    ...text("preferredLanguage", "preferredLanguage"),
    ...text("username", "username"),
    ...text("email", "email"),
    ...text("phone", "phone"),
    ...flag("isEmailVerified"),
    ...flag("isPhoneVerified"),
    ...readGender(fields["gender"]),
    metadata,
  };
}

function readGender(value: unknown): Partial<PersonChange> {
  if (value === undefined || value === null || value === 0) return {};
  const gender = typeof value === "number" ? genders[value] : undefined;
  if (gender === undefined) throw new InvalidEffects("gender is not a number from 0 to 3");
  return { gender };
}
