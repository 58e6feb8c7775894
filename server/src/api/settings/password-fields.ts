import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  PasswordAgePolicySchema,
  PasswordComplexityPolicySchema,
} from "@doorward/api/service/policy/v1/policy_pb";
import type {
  PasswordComplexitySettingsSchema,
  PasswordExpirySettingsSchema,
} from "@doorward/api/service/settings/v2/password_pb";
import type { PasswordComplexitySettings, PasswordExpirySettings } from "../../domain/settings/index.ts";
import { type FieldsOf, fieldsIn, unnamed } from "./fields.ts";
import { count, flag } from "./kinds.ts";

const complexity = fieldsIn<
  MessageInitShape<typeof PasswordComplexitySettingsSchema>,
  MessageInitShape<typeof PasswordComplexityPolicySchema>
>();

/** What passwords must be like, in the contract. */
export const passwordComplexityFields = {
  minLength: complexity.both("minLength", "minLength", count),
  requiresUppercase: complexity.both("requiresUppercase", "hasUppercase", flag),
  requiresLowercase: complexity.both("requiresLowercase", "hasLowercase", flag),
  requiresNumber: complexity.both("requiresNumber", "hasNumber", flag),
  requiresSymbol: complexity.both("requiresSymbol", "hasSymbol", flag),
  refusesCommon: unnamed,
} satisfies FieldsOf<PasswordComplexitySettings>;

const expiry = fieldsIn<
  MessageInitShape<typeof PasswordExpirySettingsSchema>,
  MessageInitShape<typeof PasswordAgePolicySchema>
>();

/** How long passwords may be used, in the contract. */
export const passwordExpiryFields = {
  maxAgeDays: expiry.both("maxAgeDays", "maxAgeDays", count),
  expireWarnDays: expiry.both("expireWarnDays", "expireWarnDays", count),
} satisfies FieldsOf<PasswordExpirySettings>;
