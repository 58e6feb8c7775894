import type { AddHumanUserRequest, AddHumanUserRequest_Profile } from "@doorward/api/service/management/v1/user_pb";
import { Fault } from "../../../../base/fault.ts";
import type { NewHuman } from "../../../../domain/user-management/index.ts";
import { fromGenderV1 } from "./user-message.ts";

export type Person = Pick<AddHumanUserRequest, "userName"> & {
  readonly profile?: ProfileMessage | undefined;
  readonly email?: { readonly email: string; readonly isEmailVerified: boolean } | undefined;
  readonly phone?: { readonly phone: string; readonly isPhoneVerified: boolean } | undefined;
};

type ProfileMessage = Omit<AddHumanUserRequest_Profile, "$typeName" | "$unknown">;

/** Reads a human user as the first generation of the API describes one; requests of other services contain the same. */
export function readPersonV1({
  userName,
  profile,
  email,
  phone,
  password = "",
}: Person & { readonly password?: string }): Omit<NewHuman, "organizationId"> {
  if (profile === undefined || email === undefined) throw new Fault("invalid_argument", "user.profile_missing");
  const { firstName, lastName, nickName, displayName, preferredLanguage, gender } = profile;
  return {
    username: userName,
    profile: {
      givenName: firstName,
      familyName: lastName,
      gender: fromGenderV1(gender),
      ...(nickName !== "" && { nickName }),
      ...(displayName !== "" && { displayName }),
      ...(preferredLanguage !== "" && { preferredLanguage }),
    },
    email: { address: email.email, verification: { by: email.isEmailVerified ? "trust" : "message" } },
    phone: phone && { number: phone.phone, verification: { by: phone.isPhoneVerified ? "trust" : "message" } },
    ...(password !== "" && { password: { password, isChangeRequired: true } }),
    metadata: [],
    mayBeInitial: true,
  };
}
