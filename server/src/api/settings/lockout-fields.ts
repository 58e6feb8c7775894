import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LockoutPolicySchema } from "@doorward/api/service/policy/v1/policy_pb";
import type { LockoutSettingsSchema } from "@doorward/api/service/settings/v2/lockout_pb";
import type { LockoutSettings } from "../../domain/settings/index.ts";
import { type FieldsOf, fieldsIn } from "./fields.ts";
import { count } from "./kinds.ts";

const { both } = fieldsIn<
  MessageInitShape<typeof LockoutSettingsSchema>,
  MessageInitShape<typeof LockoutPolicySchema>
>();

/** After how many failures a factor is blocked, in the contract. */
export const lockoutFields = {
  maxPasswordAttempts: both("maxPasswordAttempts", "maxPasswordAttempts", count),
  maxOtpAttempts: both("maxOtpAttempts", "maxOtpAttempts", count),
} satisfies FieldsOf<LockoutSettings>;
