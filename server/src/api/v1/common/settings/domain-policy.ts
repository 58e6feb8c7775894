import type { toDomainPolicy } from "./policy-message.ts";

/** Converts the policy to its former message, from when it had one member. */
export function toFormer({
  details,
  userLoginMustBeDomain = false,
  isDefault = false,
}: ReturnType<typeof toDomainPolicy>) {
  return { ...(details && { details }), userLoginMustBeDomain, isDefault };
}
