import type { SetHumanEmail } from "@doorward/api/service/user/v2/email_pb";
import type { SetPassword as SetPasswordMessage } from "@doorward/api/service/user/v2/password_pb";
import type { SetHumanPhone } from "@doorward/api/service/user/v2/phone_pb";
import type { UpdateUserRequest_Machine } from "@doorward/api/service/user/v2/user_operations_pb";
import type { Gender } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { Fault } from "../../../base/fault.ts";
import type { MachineChange } from "../../../domain/user/index.ts";
import { type HumanChange, updateUser } from "../../../domain/user-management/index.ts";
import { type Binding, bind, toDetails, toTimestamp, withFields } from "../../contract/index.ts";
import type { UserDeps } from "./user.ts";
import { toCodes, toFormat, toGender, toNewPassword, toProof, toVerification } from "./user-message.ts";

const fieldsOfHuman = {
  email: "email.email",
  phone: "phone.phone",
  password: "password.password",
  currentPassword: "password.currentPassword",
  verificationCode: "password.verificationCode",
};
const fieldsOfUser = {
  ...Object.fromEntries(Object.entries(fieldsOfHuman).map(([name, field]) => [name, `human.${field}`])),
  profile: "human.profile",
  name: "machine.name",
};

/** UserService: changing users. */
export const userUpdateMethods = (deps: UserDeps): Binding =>
  bind(UserService, {
    updateUser: async (call, { userId, username, userType, metadata }) => {
      const change = {
        human: userType.case === "human" ? toHumanChange(userType.value) : undefined,
        machine: userType.case === "machine" ? toMachineChange(userType.value) : undefined,
      };
      const updated = await withFields(fieldsOfUser, () =>
        updateUser(deps, call, { userId, username, metadata, ...change }),
      );
      return { changeDate: toTimestamp(updated.details.changedAt), ...toCodes(updated) };
    },
    updateHumanUser: async (call, { userId, username, ...human }) => {
      const change = { userId, username, human: toHumanChange(human) };
      const updated = await withFields(fieldsOfHuman, () => updateUser(deps, call, change));
      return { details: toDetails(updated.details), ...toCodes(updated) };
    },
  });

interface HumanMessage {
  readonly profile?: ProfileMessage | undefined;
  readonly email?: SetHumanEmail | undefined;
  readonly phone?: SetHumanPhone | undefined;
  readonly password?: SetPasswordMessage | undefined;
}

interface ProfileMessage {
  readonly givenName?: string | undefined;
  readonly familyName?: string | undefined;
  readonly nickName?: string | undefined;
  readonly displayName?: string | undefined;
  readonly preferredLanguage?: string | undefined;
  readonly gender?: Gender | undefined;
}

function toHumanChange({ profile, email, phone, password }: HumanMessage): HumanChange {
  return {
    profile: profile && toProfileChange(profile),
    email: email && { address: email.email, verification: toVerification(email.verification) },
    phone: phone && { number: phone.phone, verification: toVerification(phone.verification) },
    password: password && toPasswordChange(password),
  };
}

const toProfileChange = (profile: ProfileMessage) => ({
  givenName: profile.givenName,
  familyName: profile.familyName,
  nickName: profile.nickName,
  displayName: profile.displayName,
  preferredLanguage: profile.preferredLanguage,
  gender: toGender(profile.gender),
});

function toPasswordChange({ passwordType, verification }: SetPasswordMessage) {
  const password = toNewPassword(passwordType);
  if (password === undefined) {
    throw new Fault("invalid_argument", "user.password_missing", { field: "password.password" });
  }
  return { password, proof: toProof(verification) };
}

const toMachineChange = ({ name, description, accessTokenType }: UpdateUserRequest_Machine): MachineChange => ({
  name: name === "" ? undefined : name,
  description,
  accessTokenFormat: accessTokenType === undefined ? undefined : toFormat(accessTokenType),
});
