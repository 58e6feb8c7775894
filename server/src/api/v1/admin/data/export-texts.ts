import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DataOrgSchema } from "@doorward/api/service/admin/v1/data_pb";
import { CreateActionRequestSchema } from "@doorward/api/service/management/v1/action_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { SetCustomLoginTextsRequestSchema } from "@doorward/api/service/management/v1/text_login_pb";
import { languages } from "../../../../base/language.ts";
import type { Perform } from "./perform.ts";
import type { Reader } from "./reader.ts";
import { sameFields } from "./same-fields.ts";

const management = ManagementService.method;

/** The methods that read the texts of messages, by the field of their texts; their messages have the same fields. */
const messageMethods = {
  initMessages: management.getCustomInitMessageText,
  passwordResetMessages: management.getCustomPasswordResetMessageText,
  verifyEmailMessages: management.getCustomVerifyEmailMessageText,
  verifyPhoneMessages: management.getCustomVerifyPhoneMessageText,
  verifySmsOtpMessages: management.getCustomVerifySMSOTPMessageText,
  verifyEmailOtpMessages: management.getCustomVerifyEmailOTPMessageText,
  domainClaimedMessages: management.getCustomDomainClaimedMessageText,
  passwordlessRegistrationMessages: management.getCustomPasswordlessRegistrationMessageText,
  inviteUserMessages: management.getCustomInviteUserMessageText,
} as const;

type Exported = Omit<MessageInitShape<typeof DataOrgSchema>, "$typeName" | "$unknown">;

/** Returns the texts that are an organization's own, its actions and flows. */
export async function exportTexts({ perform, readAll }: Reader, orgId: string): Promise<Exported> {
  const loginTexts = [];
  const messages: Record<string, object[]> = {};
  for (const language of languages) {
    const { customText } = await perform(management.getCustomLoginTexts, { language }, orgId);
    if (customText?.isDefault === false) {
      loginTexts.push(sameFields(SetCustomLoginTextsRequestSchema, customText, { language }));
    }
    for (const [field, method] of Object.entries(messageMethods)) {
      const text = await readMessage(perform, method as InitMethod, { orgId, language });
      if (text === undefined) continue;
      const texts = messages[field] ?? [];
      texts.push(text);
      messages[field] = texts;
    }
  }
  const actions = await readAll(
    (query) => perform(management.listActions, { query }, orgId),
    ({ script }) => script.length,
  );
  const triggerActions = [];
  const { result: flows } = await perform(management.listFlowTypes, {}, orgId);
  for (const { id: flowType } of flows) {
    const { flow } = await perform(management.getFlow, { type: flowType }, orgId);
    for (const { triggerType, actions: triggered } of flow?.triggerActions ?? []) {
      if (triggered.length === 0) continue;
      const actionIds = triggered.map(({ id }) => id);
      triggerActions.push({ flowType, triggerType: triggerType?.id ?? "", actionIds });
    }
  }
  return {
    ...messages,
    loginTexts,
    actions: actions.map((action) => ({
      actionId: action.id,
      state: action.state,
      action: sameFields(CreateActionRequestSchema, action, {}),
    })),
    triggerActions,
  };
}

type InitMethod = (typeof management)["getCustomInitMessageText"];

async function readMessage(
  perform: Perform,
  method: InitMethod,
  { orgId, language }: { readonly orgId: string; readonly language: string },
) {
  const { customText } = await perform(method, { language }, orgId);
  if (customText?.isDefault !== false) return undefined;
  const { title, preHeader, subject, greeting, text, buttonText, footerText } = customText;
  return { language, title, preHeader, subject, greeting, text, buttonText, footerText };
}
