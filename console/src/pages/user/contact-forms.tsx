import type { HumanUser, User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../api/refresh.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { CheckField, Field, Form } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { tell } from "../../parts/toast.tsx";
import { t } from "../../text/catalogue.ts";
import { useObstacleHere } from "./obstacle-here.ts";
import { useUserClient } from "./user-calls.ts";

interface ContactProps {
  readonly user: User;
  readonly human: HumanUser;
}

/** Email address and phone number of a person, each with what proves it. */
export const ContactForms = (props: ContactProps) => (
  <>
    <EmailForm {...props} />
    <PhoneForm {...props} />
  </>
);

const Verified = ({ value, isVerified }: { readonly value: string; readonly isVerified: boolean }) =>
  value !== "" && (
    <Badge look={isVerified ? "good" : "warning"}>
      {isVerified ? t("user.contact.verified") : t("user.contact.unverified")}
    </Badge>
  );

function EmailForm({ user, human }: ContactProps) {
  const client = useUserClient();
  const refresh = useRefresh();
  const obstacle = useObstacleHere("user.write");
  const email = human.email?.email ?? "";
  const form = useForm({ values: { email, isVerified: false } });
  return (
    <Section
      title={t("user.email.title")}
      lead={t("user.email.lead")}
      actions={<Verified value={email} isVerified={human.email?.isVerified ?? false} />}
    >
      <Form
        form={form}
        done={t("user.saved")}
        afterwards={(values) => ({ ...values, isVerified: false })}
        readOnlyReason={obstacle}
        onSave={async ({ email, isVerified }) => {
          await client.updateUser({
            userId: user.userId,
            userType: {
              case: "human",
              value: {
                email: {
                  email,
                  verification: isVerified ? { case: "isVerified", value: true } : { case: "sendCode", value: {} },
                },
              },
            },
          });
          await refresh(UserService);
        }}
      >
        <Field
          name="email"
          label={t("user.email")}
          type="email"
          isRequired
          check={(value) => (/^\S+@\S+$/.test(value) ? undefined : t("user.email.invalid"))}
        />
        <CheckField name="isVerified" label={t("user.email.known")} hint={t("user.email.elseCode")} />
      </Form>
    </Section>
  );
}

function PhoneForm({ user, human }: ContactProps) {
  const client = useUserClient();
  const refresh = useRefresh();
  const obstacle = useObstacleHere("user.write");
  const [isRemoving, setRemoving] = useState(false);
  const phone = human.phone?.phone ?? "";
  const form = useForm({ values: { phone, isVerified: false } });
  return (
    <Section
      title={t("user.phone.title")}
      lead={t("user.phone.lead")}
      actions={<Verified value={phone} isVerified={human.phone?.isVerified ?? false} />}
    >
      <Form
        form={form}
        done={t("user.saved")}
        afterwards={(values) => ({ ...values, isVerified: false })}
        readOnlyReason={obstacle}
        more={phone !== "" && <Button onClick={() => setRemoving(true)}>{t("user.phone.remove")}</Button>}
        onSave={async ({ phone, isVerified }) => {
          await client.updateUser({
            userId: user.userId,
            userType: {
              case: "human",
              value: {
                phone: {
                  phone,
                  verification: isVerified ? { case: "isVerified", value: true } : { case: "sendCode", value: {} },
                },
              },
            },
          });
          await refresh(UserService);
        }}
      >
        <Field name="phone" label={t("user.phone")} type="tel" hint={t("user.phone.hint")} isRequired />
        <CheckField name="isVerified" label={t("user.phone.known")} hint={t("user.phone.elseCode")} />
      </Form>
      {isRemoving && (
        <DangerDialog
          title={t("user.phone.removeTitle")}
          consequences={[t("user.phone.removeCodes"), t("user.phone.removeReset")]}
          action={t("user.phone.remove")}
          onConfirm={async () => {
            await client.removePhone({ userId: user.userId });
            await refresh(UserService);
            tell(t("user.phone.removed"));
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </Section>
  );
}
