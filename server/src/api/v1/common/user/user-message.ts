import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  AccessTokenType,
  Gender as GenderMessage,
  type UserSchema,
  UserState,
} from "@doorward/api/service/user/v1/user_pb";
import { urlOfAvatar } from "../../../../domain/picture/index.ts";
import {
  type AccessTokenFormat,
  type Gender,
  type HumanUser,
  noLanguage,
  type UserState as State,
} from "../../../../domain/user/index.ts";
import type { ListedUser } from "../../../../domain/user-search/index.ts";
import { toObjectDetails, toTimestamp } from "../../../contract/index.ts";
import { toProofMember } from "../../../v2/user/contact-proof.ts";

const states = {
  active: UserState.ACTIVE,
  inactive: UserState.INACTIVE,
  locked: UserState.LOCKED,
  initial: UserState.INITIAL,
} as const satisfies Record<State, UserState>;

const genders = {
  female: GenderMessage.FEMALE,
  male: GenderMessage.MALE,
  diverse: GenderMessage.DIVERSE,
} as const satisfies Record<Gender, GenderMessage>;

/**
 * Converts a state in filters of the first generation; `deleted`, and so the unused one, is a state that no user has.
 */
export function fromStateV1(state: UserState): State | "deleted" | undefined {
  if (state === UserState.DELETED || state === UserState.SUSPEND) return "deleted";
  return (Object.keys(states) as State[]).find((name) => states[name] === state);
}

export const fromGenderV1 = (gender: GenderMessage): Gender | undefined =>
  (Object.keys(genders) as Gender[]).find((name) => genders[name] === gender);

export const fromTokenTypeV1 = (type: AccessTokenType): AccessTokenFormat =>
  type === AccessTokenType.JWT ? "jwt" : "opaque";

/** Converts a user to the message of the first generation of the API. */
export function toUserV1(user: ListedUser, origin: string): MessageInitShape<typeof UserSchema> {
  return {
    ...toCommonV1(user),
    type:
      user.kind === "human"
        ? { case: "human", value: toHumanV1(user, origin) }
        : {
            case: "machine",
            value: {
              name: user.displayName,
              description: user.description,
              hasSecret: user.hasSecret,
              accessTokenType: user.accessTokenFormat === "jwt" ? AccessTokenType.JWT : AccessTokenType.BEARER,
            },
          },
  };
}

/**
 * Converts a user for callers who may look up login names but not read the user: the id, to appoint the user by it, and
 * the login name as it was entered. Callers who enter an address must not learn the user's name, username or
 * organization.
 */
export const toNameV1 = ({ userId }: ListedUser, loginName: string): MessageInitShape<typeof UserSchema> => ({
  id: userId,
  loginNames: [loginName],
  preferredLoginName: loginName,
});

const toCommonV1 = (user: ListedUser) => ({
  id: user.userId,
  details: toObjectDetails(user.details),
  state: states[user.state],
  userName: user.username,
  loginNames: [...user.loginNames],
  preferredLoginName: user.preferredLoginName,
});

const toHumanV1 = (user: HumanUser, origin: string) => ({
  profile: toProfileV1(user, origin),
  email: toEmailV1(user),
  phone: toPhoneV1(user),
  ...(user.passwordChangedAt !== undefined && { passwordChanged: toTimestamp(user.passwordChangedAt) }),
  ...(user.passwordBlockedAt !== undefined && { passwordBlocked: toTimestamp(user.passwordBlockedAt) }),
});

/** Converts the names of a user, and the address of the picture. */
export function toProfileV1({ profile, displayName, avatarFile }: HumanUser, origin: string) {
  const { givenName, familyName, nickName = "", preferredLanguage = noLanguage, gender } = profile;
  return {
    firstName: givenName,
    lastName: familyName,
    nickName,
    displayName,
    preferredLanguage,
    gender: gender === undefined ? GenderMessage.UNSPECIFIED : genders[gender],
    avatarUrl: urlOfAvatar(origin, avatarFile),
  };
}

export const toEmailV1 = ({ email }: HumanUser) => ({
  email: email.address,
  isEmailVerified: email.isVerified,
  ...toProofMember(email),
});

/** Converts a phone; an absent one is an empty number. */
export const toPhoneV1 = ({ phone }: HumanUser) => ({
  phone: phone?.number ?? "",
  isPhoneVerified: phone?.isVerified ?? false,
  ...(phone && toProofMember(phone)),
});
