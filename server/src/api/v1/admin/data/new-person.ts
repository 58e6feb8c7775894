import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ImportHumanUserRequest } from "@doorward/api/service/management/v1/user_pb";
import type { CreateUserRequestSchema } from "@doorward/api/service/user/v2/user_operations_pb";

/** A person to create in an organization; without an id it is generated. */
export interface NewPerson {
  readonly orgId: string;
  readonly userId: string;
  readonly user: ImportHumanUserRequest;
}

/**
 * Whether a person is created by a row of the user alone: nothing is hashed, sent, linked or coded. Those are created
 * together; whatever else there is about one of them, the method that creates a user finds.
 */
export const isPlain = ({ userId, user }: NewPerson): boolean =>
  userId !== "" &&
  user.password === "" &&
  user.idps.length === 0 &&
  user.otpCode === "" &&
  user.recoveryCodes.length === 0 &&
  !user.requestPasswordlessRegistration &&
  (user.phone === undefined || user.phone.phone === "" || user.phone.isPhoneVerified);

/**
 * Returns the request that creates a person. No message is sent: an unverified address gets no code, and that of a
 * number is returned, which makes none.
 */
export function toPerson({ orgId, userId, user }: NewPerson): MessageInitShape<typeof CreateUserRequestSchema> {
  const { profile, email, phone, otpCode } = user;
  return {
    organizationId: orgId,
    userId,
    ...(user.userName !== "" && { username: user.userName }),
    userType: {
      case: "human",
      value: {
        profile: {
          givenName: profile?.firstName ?? "",
          familyName: profile?.lastName ?? "",
          ...given("nickName", profile?.nickName),
          ...given("displayName", profile?.displayName),
          ...given("preferredLanguage", profile?.preferredLanguage),
          ...(profile !== undefined && { gender: profile.gender as number }),
        },
        email: {
          email: email?.email ?? "",
          verification: { case: "isVerified", value: email?.isEmailVerified === true },
        },
        ...(phone !== undefined && {
          phone: {
            phone: phone.phone,
            verification: phone.isPhoneVerified
              ? { case: "isVerified", value: true }
              : { case: "returnCode", value: {} },
          },
        }),
        passwordType: toPassword(user),
        idpLinks: user.idps.map(({ configId, externalUserId, displayName }) => ({
          idpId: configId,
          userId: externalUserId,
          userName: displayName,
        })),
        ...(otpCode !== "" && { totpSecret: otpCode }),
      },
    },
  };
}

function toPassword({ password, hashedPassword, passwordChangeRequired: changeRequired }: ImportHumanUserRequest) {
  const hash = hashedPassword?.value ?? "";
  if (hash !== "") return { case: "hashedPassword", value: { hash, changeRequired } } as const;
  if (password !== "") return { case: "password", value: { password, changeRequired } } as const;
  return { case: undefined };
}

const given = <Name extends string>(name: Name, value: string | undefined): Partial<Record<Name, string>> =>
  value === undefined || value === "" ? {} : ({ [name]: value } as Record<Name, string>);
