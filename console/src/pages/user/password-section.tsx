import { useQuery } from "@connectrpc/connect-query";
import { AuthenticationMethodType } from "@doorward/api/service/user/v2/authentication_pb";
import { NotificationType } from "@doorward/api/service/user/v2/password_pb";
import type { HumanUser, User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../api/refresh.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { CheckField, Field, Form } from "../../parts/form.tsx";
import { Facts, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { tell } from "../../parts/toast.tsx";
import { t } from "../../text/catalogue.ts";
import { useObstacleHere } from "./obstacle-here.ts";
import { useUserCalls, useUserClient } from "./user-calls.ts";

interface PasswordProps {
  readonly user: User;
  readonly human: HumanUser;
}

/** Whether a person has a password, and the ways to another one. */
export function PasswordSection({ user, human }: PasswordProps) {
  const { userId } = user;
  const [asked, setAsked] = useState<"email" | "sms" | "set">();
  const obstacle = useObstacleHere("user.write");
  const calls = useUserCalls(user);
  const methods = useQuery(UserService.method.listAuthenticationMethodTypes, { userId }).data?.authMethodTypes;
  const hasPassword = methods?.includes(AuthenticationMethodType.PASSWORD) ?? human.passwordChanged !== undefined;
  const close = () => setAsked(undefined);
  const button = (what: "email" | "sms" | "set", label: string) => (
    <Button disabledReason={obstacle} onClick={() => setAsked(what)}>
      {label}
    </Button>
  );
  return (
    <Section
      title={t("user.password")}
      actions={
        <>
          {button("set", hasPassword ? t("user.password.replace") : t("user.password.set"))}
          {human.phone?.isVerified && button("sms", t("user.password.sendSms"))}
          {button("email", t("user.action.reset"))}
        </>
      }
    >
      <Facts
        facts={[
          [t("user.state"), <PasswordState key="state" human={human} hasPassword={hasPassword} />],
          [t("user.password.changed"), <Time key="changed" at={human.passwordChanged} />],
        ]}
      />
      {human.passwordBlocked !== undefined && (
        <p>
          {t("user.password.blocked")}{" "}
          <ActionButton run={calls.unlock} done={t("user.unlock.done")} disabledReason={obstacle}>
            {t("user.action.unlock")}
          </ActionButton>
        </p>
      )}
      {asked === "set" && <SetPasswordDialog userId={userId} onClose={close} />}
      {(asked === "email" || asked === "sms") && <ResetDialog human={human} medium={asked} onClose={close} />}
    </Section>
  );
}

function PasswordState({ human, hasPassword }: { readonly human: HumanUser; readonly hasPassword: boolean }) {
  if (!hasPassword) return t("user.password.none");
  if (human.passwordBlocked !== undefined) return <Badge look="bad">{t("user.state.passwordBlocked")}</Badge>;
  if (human.passwordChangeRequired) return <Badge look="warning">{t("user.password.mustChange")}</Badge>;
  return <Badge look="good">{t("user.password.isSet")}</Badge>;
}

function ResetDialog({
  human,
  medium,
  onClose,
}: {
  readonly human: HumanUser;
  readonly medium: "email" | "sms";
  readonly onClose: () => void;
}) {
  const client = useUserClient();
  const notificationType = medium === "sms" ? NotificationType.SMS : NotificationType.Email;
  return (
    <DangerDialog
      look="primary"
      title={t("user.reset.title", { name: human.profile?.displayName ?? "" })}
      consequences={[
        medium === "sms"
          ? t("user.reset.sentSms", { phone: human.phone?.phone ?? "" })
          : t("user.reset.sent", { email: human.email?.email ?? "" }),
        t("user.reset.kept"),
      ]}
      action={t("user.reset.send")}
      onConfirm={async () => {
        const { userId } = human;
        await client.passwordReset({ userId, medium: { case: "sendLink", value: { notificationType } } });
        tell(t("user.reset.done"));
      }}
      onClose={onClose}
    />
  );
}

function SetPasswordDialog({ userId, onClose }: { readonly userId: string; readonly onClose: () => void }) {
  const client = useUserClient();
  const refresh = useRefresh();
  const form = useForm({ defaultValues: { password: "", isTemporary: true } });
  return (
    <Dialog title={t("user.password.set")} onClose={onClose}>
      <p className="muted">{t("user.password.setLead")}</p>
      <Form
        form={form}
        action={t("user.password.set")}
        done={t("user.password.setDone")}
        onSave={async ({ password, isTemporary }) => {
          const value = { password, changeRequired: isTemporary };
          await client.updateUser({
            userId,
            userType: {
              case: "human",
              value: { password: { passwordType: { case: "password", value } } },
            },
          });
          await refresh(UserService);
          onClose();
        }}
      >
        <Field name="password" label={t("user.new.password")} type="password" autoComplete="new-password" isRequired />
        <CheckField name="isTemporary" label={t("user.password.temporary")} />
      </Form>
    </Dialog>
  );
}
