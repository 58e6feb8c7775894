import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { requireOrganization } from "../../../../call/index.ts";
import type { MessageTextDeps } from "../../../../domain/message-text/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { messageTextHandlers } from "../../common/message-text/message-text.ts";

/** ManagementService: the texts of an organization, with names as the interface spells them. */
export function organizationMessageTextMethods(deps: MessageTextDeps): Binding {
  const { getDefault, getCustom, set, reset } = messageTextHandlers(deps, requireOrganization);
  return bind(ManagementService, {
    getCustomInitMessageText: getCustom("init"),
    getDefaultInitMessageText: getDefault("init"),
    setCustomInitMessageText: set("init"),
    resetCustomInitMessageTextToDefault: reset("init"),
    getCustomPasswordResetMessageText: getCustom("password_reset"),
    getDefaultPasswordResetMessageText: getDefault("password_reset"),
    setCustomPasswordResetMessageText: set("password_reset"),
    resetCustomPasswordResetMessageTextToDefault: reset("password_reset"),
    getCustomVerifyEmailMessageText: getCustom("verify_email"),
    getDefaultVerifyEmailMessageText: getDefault("verify_email"),
    setCustomVerifyEmailMessageText: set("verify_email"),
    resetCustomVerifyEmailMessageTextToDefault: reset("verify_email"),
    getCustomVerifyPhoneMessageText: getCustom("verify_phone"),
    getDefaultVerifyPhoneMessageText: getDefault("verify_phone"),
    setCustomVerifyPhoneMessageText: set("verify_phone"),
    resetCustomVerifyPhoneMessageTextToDefault: reset("verify_phone"),
    getCustomVerifySMSOTPMessageText: getCustom("verify_sms_otp"),
    getDefaultVerifySMSOTPMessageText: getDefault("verify_sms_otp"),
    setCustomVerifySMSOTPMessageText: set("verify_sms_otp"),
    resetCustomVerifySMSOTPMessageTextToDefault: reset("verify_sms_otp"),
    getCustomVerifyEmailOTPMessageText: getCustom("verify_email_otp"),
    getDefaultVerifyEmailOTPMessageText: getDefault("verify_email_otp"),
    setCustomVerifyEmailOTPMessageText: set("verify_email_otp"),
    resetCustomVerifyEmailOTPMessageTextToDefault: reset("verify_email_otp"),
    getCustomDomainClaimedMessageText: getCustom("domain_claimed"),
    getDefaultDomainClaimedMessageText: getDefault("domain_claimed"),
    setCustomDomainClaimedMessageCustomText: set("domain_claimed"),
    resetCustomDomainClaimedMessageTextToDefault: reset("domain_claimed"),
    getCustomPasswordlessRegistrationMessageText: getCustom("passkey_registration"),
    getDefaultPasswordlessRegistrationMessageText: getDefault("passkey_registration"),
    setCustomPasswordlessRegistrationMessageCustomText: set("passkey_registration"),
    resetCustomPasswordlessRegistrationMessageTextToDefault: reset("passkey_registration"),
    getCustomPasswordChangeMessageText: getCustom("password_change"),
    getDefaultPasswordChangeMessageText: getDefault("password_change"),
    setCustomPasswordChangeMessageCustomText: set("password_change"),
    resetCustomPasswordChangeMessageTextToDefault: reset("password_change"),
    getCustomInviteUserMessageText: getCustom("invite_user"),
    getDefaultInviteUserMessageText: getDefault("invite_user"),
    setCustomInviteUserMessageCustomText: set("invite_user"),
    resetCustomInviteUserMessageTextToDefault: reset("invite_user"),
  });
}
