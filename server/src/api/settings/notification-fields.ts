import type { MessageInitShape } from "@bufbuild/protobuf";
import type { NotificationPolicySchema } from "@doorward/api/service/policy/v1/policy_pb";
import type { NotificationSettings } from "../../domain/settings/index.ts";
import { type FieldsOf, fieldsIn } from "./fields.ts";
import { flag } from "./kinds.ts";

const { onlyV1 } = fieldsIn<never, MessageInitShape<typeof NotificationPolicySchema>>();

/** What users are notified of, in the contract. Version 2 does not have it. */
export const notificationFields = {
  passwordChange: onlyV1("passwordChange", flag),
} satisfies FieldsOf<NotificationSettings>;
