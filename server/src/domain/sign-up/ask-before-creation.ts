import { addressKey } from "../../base/names/address-key.ts";
import { authorOfNothing, type Call, formatAuthor } from "../../call/index.ts";
import type { PersonChange, SignInFlow } from "../script/index.ts";
import { type BrowserVisit, describeVisit, type SignInDeps } from "../sign-in/index.ts";
import type { ContactProof } from "../user/index.ts";
import type { PreparedHuman } from "../user-management/index.ts";

/**
 * Asks scripts of the organization what to change of a user who is about to be created in it. Throws the Fault
 * `execution.failed` when one of them refuses the user.
 */
export function askBeforeCreation(
  { signInScripts }: Pick<SignInDeps, "signInScripts">,
  call: Call,
  visit: BrowserVisit,
  { person, flow }: { readonly person: PreparedHuman; readonly flow: SignInFlow },
): Promise<PersonChange> {
  const { organizationId } = person;
  const input = (change: PersonChange): object => ({
    ...describeVisit(call, visit, { loginName: person.email.address, organizationId }),
    user: describePerson(withChange(person, change)),
  });
  return signInScripts.beforeCreation(call, { organizationId, flow, input });
}

/**
 * Returns the user with what scripts of their organization set. Their word about an address or a number is that of the
 * organization's administrators, which counts in it alone (A13), and takes nothing from a better proof. An address that
 * only scripts named has an author who administers nothing.
 */
export function withChange(person: PreparedHuman, change: PersonChange): PreparedHuman {
  const { givenName, familyName, nickName, displayName, preferredLanguage, gender } = change;
  return {
    ...person,
    ...(change.username !== undefined && { username: change.username }),
    profile: {
      ...person.profile,
      ...(givenName !== undefined && { givenName }),
      ...(familyName !== undefined && { familyName }),
      ...(nickName !== undefined && { nickName }),
      ...(displayName !== undefined && { displayName }),
      ...(preferredLanguage !== undefined && { preferredLanguage }),
      ...(gender !== undefined && { gender }),
    },
    email: emailWith(person, change),
    ...phoneWith(person, change),
    metadata: [...person.metadata, ...change.metadata],
  };
}

function emailWith({ email, organizationId }: PreparedHuman, { email: address, isEmailVerified }: PersonChange) {
  const isOther = address !== undefined && addressKey(address) !== addressKey(email.address);
  const isAsserted = isEmailVerified === true && (isOther || email.verification.by !== "trust");
  if (!isOther && !isAsserted) return email;
  const named = isOther ? { ...email, address, namedBy: formatAuthor(authorOfNothing) } : email;
  if (isAsserted) return { ...named, verification: { by: "trust", proof: wordOfScripts(organizationId) } as const };
  // The former address was proven, or its code was to be sent: neither says anything of this one.
  return named.verification.by === "trust" ? { ...named, verification: { by: "nothing" } as const } : named;
}

function phoneWith({ phone, organizationId }: PreparedHuman, change: PersonChange): Pick<PreparedHuman, "phone"> {
  const number = change.phone ?? phone?.number;
  if (number === undefined || (change.phone === undefined && change.isPhoneVerified !== true)) return {};
  const verification =
    change.isPhoneVerified === true
      ? ({ by: "trust", proof: wordOfScripts(organizationId) } as const)
      : ({ by: "nothing" } as const);
  return { phone: { number, namedBy: formatAuthor(authorOfNothing), verification } };
}

/** The proof that consists of the word of scripts: as little as that of administrators of the organization. */
export const wordOfScripts = (organizationId: string): ContactProof => ({
  by: "administrator",
  level: "organization",
  organizationId,
  author: formatAuthor(authorOfNothing),
});

// As scripts know a user who does not exist yet (`ctx.v1.user`).
const describePerson = ({ organizationId, username, profile, email, phone }: PreparedHuman): object => ({
  id: "",
  resourceOwner: organizationId,
  username: username ?? email.address,
  profile: {
    firstName: profile.givenName,
    lastName: profile.familyName,
    nickName: profile.nickName ?? "",
    displayName: profile.displayName ?? `${profile.givenName} ${profile.familyName}`,
    preferredLanguage: profile.preferredLanguage ?? "",
  },
  email: { email: email.address, isEmailVerified: email.verification.by === "trust" },
  phone: { phone: phone?.number ?? "", isPhoneVerified: phone?.verification.by === "trust" },
});
