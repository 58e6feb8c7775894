import type { MessageInitShape } from "@bufbuild/protobuf";
import type { NotificationPolicySchema } from "@doorward/api/service/policy/v1/policy_pb";
import type { NotificationSettingsSchema } from "@doorward/api/service/settings/v2/document_update_pb";
import type { NotificationSettings } from "../../domain/settings/index.ts";
import { type FieldsOf, fieldsIn } from "./fields.ts";
import { flag } from "./kinds.ts";

const { both } = fieldsIn<
  MessageInitShape<typeof NotificationSettingsSchema>,
  MessageInitShape<typeof NotificationPolicySchema>
>();

/** What users are notified of, in the contract. */
export const notificationFields = {
  passwordChange: both("passwordChange", "passwordChange", flag),
} satisfies FieldsOf<NotificationSettings>;
