import { ActionState } from "@doorward/api/service/action/v1/action_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { makeClosed } from "./close-entry.ts";
import { EntryRefused } from "./entry-refused.ts";
import type { Entries } from "./imported.ts";
import { pagesOf } from "./reader.ts";
import type { Run } from "./run.ts";

const management = ManagementService.method;

/** Texts of the login and of messages, actions, and the flows that they run in. */
export const textEntries: readonly Entries[] = [
  texts("login_text", "loginTexts", management.setCustomLoginText),
  texts("init_message", "initMessages", management.setCustomInitMessageText),
  texts("password_reset_message", "passwordResetMessages", management.setCustomPasswordResetMessageText),
  texts("verify_email_message", "verifyEmailMessages", management.setCustomVerifyEmailMessageText),
  texts("verify_phone_message", "verifyPhoneMessages", management.setCustomVerifyPhoneMessageText),
  texts("verify_sms_otp_message", "verifySmsOtpMessages", management.setCustomVerifySMSOTPMessageText),
  texts("verify_email_otp_message", "verifyEmailOtpMessages", management.setCustomVerifyEmailOTPMessageText),
  texts("domain_claimed_message", "domainClaimedMessages", management.setCustomDomainClaimedMessageCustomText),
  texts(
    "passwordless_registration_message",
    "passwordlessRegistrationMessages",
    management.setCustomPasswordlessRegistrationMessageCustomText,
  ),
  texts("invite_user_message", "inviteUserMessages", management.setCustomInviteUserMessageCustomText),
  ({ orgId, actions }) =>
    actions.map(({ actionId, action, state }) => ({
      type: "action",
      id: actionId,
      perform: async (run, done) => {
        if (action === undefined) return run.refuse("data.not_imported");
        const make = async () => {
          await refuseKnownAction(run, { orgId, actionId, name: action.name });
          const { id } = await run.perform(management.createAction, action, orgId);
          run.ids.set(orgId, actionId, id);
          return id;
        };
        const isClosed = state === ActionState.INACTIVE;
        const id = await (isClosed ? makeClosed({ make, ...closingOf(run, { orgId, actionId }) }) : make());
        done.actionIds.push(id);
      },
    })),
  ({ orgId, triggerActions }) =>
    triggerActions.map(({ flowType, triggerType, actionIds }) => ({
      type: "trigger_action",
      id: `${flowType}_${triggerType}`,
      perform: async ({ perform, ids }, done) => {
        const trigger = { flowType, triggerType, actionIds: actionIds.map((id) => ids.of(orgId, id)) };
        await perform(management.setTriggerActions, trigger, orgId);
        done.triggerActions.push(trigger);
      },
    })),
];

type TextField =
  | "loginTexts"
  | "initMessages"
  | "passwordResetMessages"
  | "verifyEmailMessages"
  | "verifyPhoneMessages"
  | "verifySmsOtpMessages"
  | "verifyEmailOtpMessages"
  | "domainClaimedMessages"
  | "passwordlessRegistrationMessages"
  | "inviteUserMessages";

/** Entries of one kind of text: the request of its method, for each language. */
function texts(
  type: string,
  field: TextField,
  method: (typeof management)["setCustomLoginText"] | TextMethod,
): Entries {
  return (organization) =>
    organization[field].map((text) => ({
      type,
      id: text.language,
      perform: async ({ perform }) => {
        await perform(method as (typeof management)["setCustomLoginText"], text as never, organization.orgId);
      },
    }));
}

type TextMethod = (typeof management)[
  | "setCustomInitMessageText"
  | "setCustomPasswordResetMessageText"
  | "setCustomVerifyEmailMessageText"
  | "setCustomVerifyPhoneMessageText"
  | "setCustomVerifySMSOTPMessageText"
  | "setCustomVerifyEmailOTPMessageText"
  | "setCustomDomainClaimedMessageCustomText"
  | "setCustomPasswordlessRegistrationMessageCustomText"
  | "setCustomInviteUserMessageCustomText"];

interface NamedAction {
  readonly orgId: string;
  readonly actionId: string;
}

/** Returns how an action becomes inactive. */
function closingOf(run: Run, { orgId, actionId }: NamedAction) {
  return {
    close: async (id: string) => {
      try {
        await run.performToEnd(management.deactivateAction, { id }, orgId);
      } catch (error) {
        if (!(error instanceof EntryRefused) || error.refusal.id !== "action.not_active") throw error;
      }
    },
    remove: (id: string) => run.performToEnd(management.deleteAction, { id }, orgId),
    existing: () => run.ids.of(orgId, actionId),
  };
}

/** Refuses an action whose name one of the organization has, and notes the id of that one for the triggers. */
async function refuseKnownAction(
  run: Run,
  { orgId, actionId, name }: NamedAction & { readonly name: string },
): Promise<void> {
  for await (const page of pagesOf((query) => run.perform(management.listActions, { query }, orgId))) {
    const known = page.find((action) => action.name === name);
    if (known === undefined) continue;
    run.ids.set(orgId, actionId, known.id);
    run.refuse("request.already_exists");
  }
}
