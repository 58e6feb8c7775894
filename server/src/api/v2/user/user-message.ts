import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HashedPassword, Password } from "@doorward/api/service/user/v2/password_pb";
import {
  AccessTokenType,
  Gender as GenderMessage,
  UserState as StateMessage,
  type UserSchema,
} from "@doorward/api/service/user/v2/user_pb";
import type { Secret } from "../../../base/secret.ts";
import type { Verification } from "../../../domain/contact/index.ts";
import type { NewPassword, PasswordProof } from "../../../domain/password/index.ts";
import { urlOfAvatar } from "../../../domain/picture/index.ts";
import {
  type AccessTokenFormat,
  type Gender,
  type HumanUser,
  noLanguage,
  type UserState,
} from "../../../domain/user/index.ts";
import type { ListedUser } from "../../../domain/user-search/index.ts";
import { toDetails, toTimestamp } from "../../contract/index.ts";
import { toProofMember } from "./contact-proof.ts";

const states = {
  active: StateMessage.ACTIVE,
  inactive: StateMessage.INACTIVE,
  locked: StateMessage.LOCKED,
  initial: StateMessage.INITIAL,
} as const satisfies Record<UserState, StateMessage>;

const genders = {
  female: GenderMessage.FEMALE,
  male: GenderMessage.MALE,
  diverse: GenderMessage.DIVERSE,
} as const satisfies Record<Gender, GenderMessage>;

export const toGender = (gender: GenderMessage | undefined): Gender | undefined =>
  (Object.keys(genders) as Gender[]).find((name) => genders[name] === gender);

/** Converts a state in filters; `deleted` is a state that no user has. */
export function fromStateMessage(state: StateMessage): UserState | "deleted" | undefined {
  if (state === StateMessage.DELETED) return "deleted";
  return (Object.keys(states) as UserState[]).find((name) => states[name] === state);
}

export const toFormat = (type: AccessTokenType): AccessTokenFormat => (type === AccessTokenType.JWT ? "jwt" : "opaque");

export function toUserMessage(user: ListedUser, origin: string): MessageInitShape<typeof UserSchema> {
  const { userId, username, preferredLoginName } = user;
  const common = { userId, username, preferredLoginName, loginNames: [...user.loginNames], state: states[user.state] };
  const type =
    user.kind === "human"
      ? { case: "human" as const, value: { ...common, ...toHumanMessage(user, origin) } }
      : {
          case: "machine" as const,
          value: {
            name: user.displayName,
            description: user.description,
            hasSecret: user.hasSecret,
            accessTokenType: user.accessTokenFormat === "jwt" ? AccessTokenType.JWT : AccessTokenType.BEARER,
          },
        };
  return { ...common, details: toDetails(user.details), type };
}

function toHumanMessage(user: HumanUser & ListedUser, origin: string) {
  const { profile, email, phone, displayName, avatarFile } = user;
  const { givenName, familyName, nickName = "", preferredLanguage = noLanguage, gender } = profile;
  return {
    profile: {
      givenName,
      familyName,
      nickName,
      displayName,
      preferredLanguage,
      gender: gender === undefined ? GenderMessage.UNSPECIFIED : genders[gender],
      avatarUrl: urlOfAvatar(origin, avatarFile),
    },
    email: { email: email.address, isVerified: email.isVerified, ...toProofMember(email) },
    phone: { phone: phone?.number ?? "", isVerified: phone?.isVerified ?? false, ...(phone && toProofMember(phone)) },
    passwordChangeRequired: user.isPasswordChangeRequired,
    ...(user.passwordChangedAt !== undefined && { passwordChanged: toTimestamp(user.passwordChangedAt) }),
    ...(user.passwordBlockedAt !== undefined && { passwordBlocked: toTimestamp(user.passwordBlockedAt) }),
    ...(user.secondFactorSkippedAt !== undefined && { mfaInitSkipped: toTimestamp(user.secondFactorSkippedAt) }),
  };
}

/** Converts how an address or number is to be verified. By default a code is sent. */
export function toVerification(
  given:
    | {
        readonly case: "sendCode";
        readonly value: { readonly $typeName: string; readonly urlTemplate?: string | undefined };
      }
    | { readonly case: "returnCode"; readonly value: unknown }
    | { readonly case: "isVerified"; readonly value: boolean }
    | { readonly case: undefined; readonly value?: undefined },
): Verification {
  switch (given.case) {
    case "returnCode":
      return { by: "return" };
    case "isVerified":
      return given.value ? { by: "trust" } : { by: "nothing" };
    case "sendCode":
      return { by: "message", urlTemplate: given.value.urlTemplate };
    case undefined:
      return { by: "message" };
    default:
      return given satisfies never;
  }
}

type PasswordType =
  | { readonly case: "password"; readonly value: Password }
  | { readonly case: "hashedPassword"; readonly value: HashedPassword }
  | { readonly case: undefined; readonly value?: undefined };

export function toNewPassword(given: PasswordType): NewPassword | undefined {
  switch (given.case) {
    case "password":
      return { password: given.value.password, isChangeRequired: given.value.changeRequired };
    case "hashedPassword":
      return { hash: given.value.hash, isChangeRequired: given.value.changeRequired };
    case undefined:
      return undefined;
    default:
      return given satisfies never;
  }
}

export function toProof(
  given:
    | { readonly case: "currentPassword"; readonly value: string }
    | { readonly case: "verificationCode"; readonly value: string }
    | { readonly case: undefined; readonly value?: undefined },
): PasswordProof {
  switch (given.case) {
    case "currentPassword":
      return { by: "current_password", password: given.value };
    case "verificationCode":
      return { by: "code", code: given.value };
    case undefined:
      return { by: "permission" };
    default:
      return given satisfies never;
  }
}

/** Converts codes for a response: shown because the request asked for them. */
export const toCodes = ({
  emailCode,
  phoneCode,
}: {
  emailCode?: Secret | undefined;
  phoneCode?: Secret | undefined;
}) => ({
  ...(emailCode !== undefined && { emailCode: emailCode.reveal() }),
  ...(phoneCode !== undefined && { phoneCode: phoneCode.reveal() }),
});
