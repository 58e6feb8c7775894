import type { domainFields } from "../../../settings/domain-fields.ts";
import type { Policy } from "./policy-message.ts";

/** Converts the policy to its former message, from when it had one member. */
export const toFormer = ({ details, userLoginMustBeDomain, isDefault }: Policy<typeof domainFields>) => ({
  details,
  userLoginMustBeDomain,
  isDefault,
});
