import { NotificationType } from "@doorward/api/service/user/v2/password_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { Fault } from "../../../base/fault.ts";
import type { CodeDelivery } from "../../../domain/contact/index.ts";
import { createInvitation, resendInvitation, verifyInvitation } from "../../../domain/invitation/index.ts";
import { requestPasswordReset, setPassword } from "../../../domain/password/index.ts";
import { skipSecondFactor } from "../../../domain/user/index.ts";
import { type Binding, bind, toDetails, withFields } from "../../contract/index.ts";
import type { UserDeps } from "./user.ts";
import { toContact } from "./user-contact.ts";
import { toProof } from "./user-message.ts";

/** UserService: passwords and invitations. */
export const userPasswordMethods = (deps: UserDeps): Binding =>
  bind(UserService, {
    passwordReset: async (call, { userId, medium }) => {
      const isReturned = medium.case === "returnCode";
      const channel = medium.value !== undefined && isSms(medium) ? "sms" : "email";
      const delivery: CodeDelivery = isReturned
        ? { by: "return" }
        : { by: "message", urlTemplate: medium.value?.urlTemplate };
      return toContact(await requestPasswordReset(deps, call, { userId, channel, delivery }));
    },
    setPassword: async (call, { userId, newPassword, verification }) => {
      if (newPassword === undefined) {
        throw new Fault("invalid_argument", "user.password_missing", { field: "newPassword" });
      }
      const password = { password: newPassword.password, isChangeRequired: newPassword.changeRequired };
      const details = await withFields({ password: "newPassword.password" }, () =>
        setPassword(deps, call, { userId, password, proof: toProof(verification) }),
      );
      return { details: toDetails(details) };
    },
    createInviteCode: async (call, { userId, verification }) => {
      const delivery: CodeDelivery =
        verification.case === "returnCode" ? { by: "return" } : { by: "message", ...toInvitation(verification.value) };
      const { details, code } = await createInvitation(deps, call, { userId, delivery });
      return { details: toDetails(details), ...(code !== undefined && { inviteCode: code.reveal() }) };
    },
    resendInviteCode: async (call, { userId }) => ({
      details: toDetails((await resendInvitation(deps, call, { userId })).details),
    }),
    verifyInviteCode: async (call, { userId, verificationCode: code }) => ({
      details: toDetails(await verifyInvitation(deps, call, { userId, code })),
    }),
    humanMFAInitSkipped: async (call, { userId }) => ({
      details: toDetails(await skipSecondFactor(deps, call, { userId })),
    }),
  });

const isSms = (medium: { case?: string | undefined; value: object }): boolean =>
  medium.case === "sendLink" &&
  "notificationType" in medium.value &&
  medium.value.notificationType === NotificationType.SMS;

const toInvitation = (
  given: { urlTemplate?: string | undefined; applicationName?: string | undefined } | undefined,
) => ({
  urlTemplate: given?.urlTemplate,
  applicationName: given?.applicationName,
});
