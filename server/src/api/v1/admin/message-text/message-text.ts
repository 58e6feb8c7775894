import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { MessageTextDeps } from "../../../../domain/message-text/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { messageTextHandlers } from "../../common/message-text/message-text.ts";

/** AdminService: the texts of the instance. */
export function instanceMessageTextMethods(deps: MessageTextDeps): Binding {
  const { getDefault, getCustom, set, reset } = messageTextHandlers(deps, () => undefined);
  return bind(AdminService, {
    getDefaultInitMessageText: getDefault("init"),
    getCustomInitMessageText: getCustom("init"),
    setDefaultInitMessageText: set("init"),
    resetCustomInitMessageTextToDefault: reset("init"),
    getDefaultPasswordResetMessageText: getDefault("password_reset"),
    getCustomPasswordResetMessageText: getCustom("password_reset"),
    setDefaultPasswordResetMessageText: set("password_reset"),
    resetCustomPasswordResetMessageTextToDefault: reset("password_reset"),
    getDefaultVerifyEmailMessageText: getDefault("verify_email"),
    getCustomVerifyEmailMessageText: getCustom("verify_email"),
    setDefaultVerifyEmailMessageText: set("verify_email"),
    resetCustomVerifyEmailMessageTextToDefault: reset("verify_email"),
    getDefaultVerifyPhoneMessageText: getDefault("verify_phone"),
    getCustomVerifyPhoneMessageText: getCustom("verify_phone"),
    setDefaultVerifyPhoneMessageText: set("verify_phone"),
    resetCustomVerifyPhoneMessageTextToDefault: reset("verify_phone"),
    getDefaultVerifySMSOTPMessageText: getDefault("verify_sms_otp"),
    getCustomVerifySMSOTPMessageText: getCustom("verify_sms_otp"),
    setDefaultVerifySMSOTPMessageText: set("verify_sms_otp"),
    resetCustomVerifySMSOTPMessageTextToDefault: reset("verify_sms_otp"),
    getDefaultVerifyEmailOTPMessageText: getDefault("verify_email_otp"),
    getCustomVerifyEmailOTPMessageText: getCustom("verify_email_otp"),
    setDefaultVerifyEmailOTPMessageText: set("verify_email_otp"),
    resetCustomVerifyEmailOTPMessageTextToDefault: reset("verify_email_otp"),
    getDefaultDomainClaimedMessageText: getDefault("domain_claimed"),
    getCustomDomainClaimedMessageText: getCustom("domain_claimed"),
    setDefaultDomainClaimedMessageText: set("domain_claimed"),
    resetCustomDomainClaimedMessageTextToDefault: reset("domain_claimed"),
    getDefaultPasswordlessRegistrationMessageText: getDefault("passkey_registration"),
    getCustomPasswordlessRegistrationMessageText: getCustom("passkey_registration"),
    setDefaultPasswordlessRegistrationMessageText: set("passkey_registration"),
    resetCustomPasswordlessRegistrationMessageTextToDefault: reset("passkey_registration"),
    getDefaultPasswordChangeMessageText: getDefault("password_change"),
    getCustomPasswordChangeMessageText: getCustom("password_change"),
    setDefaultPasswordChangeMessageText: set("password_change"),
    resetCustomPasswordChangeMessageTextToDefault: reset("password_change"),
    getDefaultInviteUserMessageText: getDefault("invite_user"),
    getCustomInviteUserMessageText: getCustom("invite_user"),
    setDefaultInviteUserMessageText: set("invite_user"),
    resetCustomInviteUserMessageTextToDefault: reset("invite_user"),
  });
}
