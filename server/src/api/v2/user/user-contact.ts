import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import {
  type CodeDelivery,
  type ContactChange,
  removePhone,
  resendPhoneCode,
  sendEmailCode,
  setEmail,
  setPhone,
  verifyEmail,
  verifyPhone,
} from "../../../domain/contact/index.ts";
import { type Binding, bind, toDetails } from "../../contract/index.ts";
import type { UserDeps } from "./user.ts";
import { toVerification } from "./user-message.ts";

/** UserService: email addresses and phone numbers of users. */
export const userContactMethods = (deps: UserDeps): Binding =>
  bind(UserService, {
    setEmail: async (call, { userId, email, verification }) => {
      const input = { userId, address: email, verification: toVerification(verification) };
      return toContact(await setEmail(deps, call, input));
    },
    sendEmailCode: async (call, { userId, verification }) => {
      const input = { userId, delivery: toDelivery(verification), isAgain: false };
      return toContact(await sendEmailCode(deps, call, input));
    },
    resendEmailCode: async (call, { userId, verification }) => {
      const input = { userId, delivery: toDelivery(verification), isAgain: true };
      return toContact(await sendEmailCode(deps, call, input));
    },
    verifyEmail: async (call, { userId, verificationCode: code }) => ({
      details: toDetails(await verifyEmail(deps, call, { userId, code })),
    }),
    setPhone: async (call, { userId, phone, verification }) => {
      const input = { userId, number: phone, verification: toVerification(verification) };
      return toContact(await setPhone(deps, call, input));
    },
    removePhone: async (call, { userId }) => ({ details: toDetails(await removePhone(deps, call, { userId })) }),
    resendPhoneCode: async (call, { userId, verification }) =>
      toContact(await resendPhoneCode(deps, call, { userId, delivery: toDelivery(verification) })),
    verifyPhone: async (call, { userId, verificationCode: code }) => ({
      details: toDetails(await verifyPhone(deps, call, { userId, code })),
    }),
  });

export const toContact = ({ details, code }: ContactChange) => ({
  details: toDetails(details),
  ...(code !== undefined && { verificationCode: code.reveal() }),
});

type DeliveryMessage =
  | {
      readonly case: "sendCode";
      readonly value: { readonly $typeName: string; readonly urlTemplate?: string | undefined };
    }
  | { readonly case: "returnCode"; readonly value: unknown }
  | { readonly case: undefined; readonly value?: undefined };

function toDelivery(given: DeliveryMessage): CodeDelivery {
  if (given.case === "returnCode") return { by: "return" };
  return { by: "message", urlTemplate: given.value?.urlTemplate };
}
