import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type {
  ImportHumanUserRequest,
  ImportHumanUserRequest_IDP,
  ImportHumanUserRequest_RecoveryCode,
} from "@doorward/api/service/management/v1/user_pb";
import { Fault } from "../../../../base/fault.ts";
import { type Call, requireOrganization } from "../../../../call/index.ts";
import type { Tx } from "../../../../database/index.ts";
import type { OriginOf } from "../../../../domain/instance/index.ts";
import { resendInitialization } from "../../../../domain/invitation/index.ts";
import { type NewPassword, type SetPasswordDeps, setPassword } from "../../../../domain/password/index.ts";
import { assertedBy, type FactorSteps, type HumanUser, type PasskeyCode } from "../../../../domain/user/index.ts";
import {
  type CreateHumanDeps,
  createHuman,
  type NewAccount,
  type NewHuman,
} from "../../../../domain/user-management/index.ts";
import { isUserUnique, lookUpLoginName } from "../../../../domain/user-search/index.ts";
import { type Binding, bind, type Handlers, toDuration, toObjectDetails, withFields } from "../../../contract/index.ts";
import { type Person, readPersonV1 } from "../../common/user/person.ts";
import { toNameV1, toUserV1 } from "../../common/user/user-message.ts";
import { inOrganization } from "./in-organization.ts";

type Deps = CreateHumanDeps & FactorSteps;

const fields = {
  username: "userName",
  email: "email.email",
  phone: "phone.phone",
  "profile.givenName": "profile.firstName",
  "profile.familyName": "profile.lastName",
  totpSecret: "otpCode",
  idpLink: "idps",
};

/** ManagementService: names before a user has them, and users who have yet to begin. */
export function newPersonMethods(deps: Deps & SetPasswordDeps & { readonly originOf: OriginOf }): Binding {
  const ofOneUser: Handlers<typeof ManagementService> = {
    async setHumanInitialPassword(call, { userId, password }) {
      const wanted = { password, isChangeRequired: true };
      const details = await setPassword(deps, call, { userId, password: wanted, proof: { by: "permission" } });
      return { details: toObjectDetails(details) };
    },
    async resendHumanInitialization(call, { userId, email }) {
      const input = { userId, ...(email !== "" && { email }) };
      return { details: toObjectDetails(await resendInitialization(deps, call, input)) };
    },
  };
  const ofNames: Handlers<typeof ManagementService> = {
    async getUserByLoginNameGlobal(call, { loginName }) {
      const { user: found, isReadable } = await lookUpLoginName(deps, call, { loginName });
      const origin = await deps.originOf(call.instanceId);
      return { user: isReadable ? toUserV1(found, origin) : toNameV1(found, loginName) };
    },
    async isUserUnique(call, { userName, email }) {
      const organizationId = requireOrganization(call);
      return { isUnique: await isUserUnique(deps, call, { organizationId, username: userName, email }) };
    },
  };
  return bind(ManagementService, { ...ofNames, ...inOrganization(deps, ofOneUser) });
}

/**
 * ManagementService: creating human users, in the organization of the call. A user without a proven address, or without
 * anything to sign in with, is not active and is sent the message with which an account begins.
 */
export const newHumanMethods = (deps: Deps): Binding =>
  bind(ManagementService, {
    async addHumanUser(call, request) {
      const { initialPassword } = request;
      const password = initialPassword === "" ? undefined : { password: initialPassword, isChangeRequired: true };
      const input = { ...toPerson(call, request), password, accounts: [] };
      const { userId, details } = await withFields({ ...fields, password: "initialPassword" }, () =>
        createHuman(deps, call, input),
      );
      return { userId, details: toObjectDetails(details) };
    },
    async importHumanUser(call, request) {
      let code: PasskeyCode | undefined;
      const isInvited = request.requestPasswordlessRegistration;
      const person = toImported(call, toPerson(call, request));
      const complete = async (tx: Tx, user: HumanUser): Promise<void> => {
        await deps.importFactors(tx, user, toFactors(request));
        if (isInvited) code = await deps.addPasskeyCode(tx, user);
      };
      const accounts = request.idps.map(toAccount);
      const input = {
        ...person,
        password: toPassword(request),
        accounts,
        complete,
        // A user who signs in elsewhere has nothing to begin here.
        mayBeInitial: accounts.length === 0,
        hasOtherSignInMethod: isInvited,
      };
      const { userId, details } = await withFields({ ...fields, "hashedPassword.hash": "hashedPassword.value" }, () =>
        createHuman(deps, call, input),
      );
      const user = { userId, organizationId: person.organizationId };
      return {
        userId,
        details: toObjectDetails(details),
        ...(code !== undefined && { passwordlessRegistration: await toRegistration(deps, call, user, code) }),
      };
    },
  });

const toPerson = (call: Call, request: Person): Omit<NewHuman, "password"> => ({
  ...readPersonV1(request),
  organizationId: requireOrganization(call),
});

/** Notes that the caller's word about address and number was given with an import. */
function toImported(call: Call, person: Omit<NewHuman, "password">): Omit<NewHuman, "password"> {
  const { email, phone, organizationId } = person;
  const imported = <Contact extends NewHuman["email"] | NonNullable<NewHuman["phone"]>>(contact: Contact): Contact =>
    contact.verification.by === "trust"
      ? { ...contact, verification: { by: "trust", proof: assertedBy(call, organizationId, "import") } }
      : contact;
  return { ...person, email: imported(email), phone: phone && imported(phone) };
}

function toPassword({
  password,
  hashedPassword,
  passwordChangeRequired,
}: ImportHumanUserRequest): NewPassword | undefined {
  const hash = hashedPassword?.value ?? "";
  if (password !== "" && hash !== "") throw new Fault("invalid_argument", "user.password_twice", { field: "password" });
  if (hash !== "") return { hash, isChangeRequired: passwordChangeRequired };
  return password === "" ? undefined : { password, isChangeRequired: passwordChangeRequired };
}

function toFactors({ otpCode, recoveryCodes }: ImportHumanUserRequest) {
  return { totpSecret: otpCode === "" ? undefined : otpCode, recoveryCodes: recoveryCodes.map(toRecoveryCode) };
}

const toAccount = ({ configId, externalUserId, displayName }: ImportHumanUserRequest_IDP): NewAccount => ({
  identityProviderId: configId,
  externalUserId,
  externalUsername: displayName,
});

function toRecoveryCode({ codeType }: ImportHumanUserRequest_RecoveryCode): string {
  if (codeType.case === "raw") return codeType.value;
  throw new Fault("invalid_argument", "factor.recovery_code_hashed", { field: "recoveryCodes" });
}

async function toRegistration(
  deps: Deps,
  call: Call,
  user: { readonly userId: string; readonly organizationId: string },
  code: PasskeyCode,
) {
  const lifetime = toDuration(code.lifetimeSeconds);
  return { link: await deps.passkeyLinkOf(call, user, code), lifetime, expiration: lifetime };
}
