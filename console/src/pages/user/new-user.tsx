import { type Client, createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useEffect } from "react";
import { useForm, useFormContext, useWatch } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { useFinders } from "../../parts/finders.ts";
import { CheckField, Field, Form, SelectField } from "../../parts/form.tsx";
import { Page, Section } from "../../parts/page.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { PickerField } from "../../parts/picker-field.tsx";
import { tell } from "../../parts/toast.tsx";
import { useHomeOrganization, useObstacle, useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

interface Values {
  readonly email: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly username: string;
  readonly organization: Choice | undefined;
  readonly start: "invitation" | "password" | "later";
  readonly password: string;
  readonly isPasswordTemporary: boolean;
  readonly isEmailVerified: boolean;
}

async function createUser(client: Client<typeof UserService>, values: Values, organizationId: string): Promise<string> {
  const { email, username, givenName, familyName, start, password, isPasswordTemporary } = values;
  const { id } = await client.createUser({
    organizationId,
    ...(username !== "" && { username }),
    userType: {
      case: "human",
      value: {
        profile: { givenName, familyName },
        email: { email, verification: verificationOf(values) },
        ...(start === "password" && {
          passwordType: { case: "password", value: { password, changeRequired: isPasswordTemporary } } as const,
        }),
      },
    },
  });
  return id;
}

function verificationOf({ start, isEmailVerified }: Values) {
  // An invitation verifies the address itself.
  if (start === "invitation") return { case: "isVerified", value: false } as const;
  return isEmailVerified ? ({ case: "isVerified", value: true } as const) : ({ case: "sendCode", value: {} } as const);
}

/** Returns whether the invitation was sent. The page of a user without it says so, and can send it again. */
async function invite(client: Client<typeof UserService>, userId: string): Promise<boolean> {
  try {
    await client.createInviteCode({ userId, verification: { case: "sendCode", value: {} } });
    return true;
  } catch {
    return false;
  }
}

/** Creates a person, and says how they sign in for the first time. */
export function NewUserPage() {
  const { go } = useAddress();
  const scope = useOrganizationId();
  const client = createClient(UserService, useTransport());
  const refresh = useRefresh();
  const obstacle = useObstacle("user.write");
  const form = useForm<Values>({
    defaultValues: {
      email: "",
      givenName: "",
      familyName: "",
      username: "",
      organization: undefined,
      start: "invitation",
      password: "",
      isPasswordTemporary: true,
      isEmailVerified: false,
    },
  });
  const start = useWatch({ control: form.control, name: "start" });

  const create = async (values: Values) => {
    const id = await createUser(client, values, scope ?? values.organization?.id ?? "");
    const isInvited = values.start === "invitation" && (await invite(client, id));
    tell(t(isInvited ? "user.new.invited" : values.start === "invitation" ? "user.new.notInvited" : "user.new.done"));
    await refresh(UserService);
    go(`/users/${id}`);
  };
  return (
    <Page title={t("user.new.title")} parent={{ to: "/users", label: t("nav.users") }}>
      <Section title={t("user.new.who")}>
        <Form form={form} onSave={create} action={t("user.new.action")} readOnlyReason={obstacle}>
          <Field
            name="email"
            label={t("user.email")}
            type="email"
            isRequired
            check={(value) => (/^\S+@\S+$/.test(value) ? undefined : t("user.email.invalid"))}
          />
          <div className="field-row">
            <Field name="givenName" label={t("user.givenName")} isRequired />
            <Field name="familyName" label={t("user.familyName")} isRequired />
          </div>
          <Field name="username" label={t("user.username")} hint={t("user.new.usernameHint")} spellCheck={false} />
          {scope === undefined && <OrganizationField />}
          <SelectField
            name="start"
            label={t("user.new.start")}
            options={[
              ["invitation", t("user.new.startInvitation")],
              ["password", t("user.new.startPassword")],
              ["later", t("user.new.startLater")],
            ]}
          />
          <StartFields start={start} />
        </Form>
      </Section>
    </Page>
  );
}

const StartFields = ({ start }: Pick<Values, "start">) => (
  <>
    {start === "password" && (
      <>
        <Field
          name="password"
          label={t("user.new.password")}
          hint={t("user.new.passwordHint")}
          type="password"
          autoComplete="new-password"
          isRequired
        />
        <CheckField name="isPasswordTemporary" label={t("user.password.temporary")} />
      </>
    )}
    {start !== "invitation" && (
      <CheckField name="isEmailVerified" label={t("user.email.known")} hint={t("user.email.knownHint")} />
    )}
  </>
);

/** The organization that something new belongs to. Only asked for where the pages are about the whole instance. */
export function OrganizationField() {
  const { findOrganizations } = useFinders();
  const home = useHomeOrganization();
  const { getFieldState, getValues, resetField } = useFormContext();
  useEffect(() => {
    const isUntouched = getValues("organization") === undefined && !getFieldState("organization").isDirty;
    if (home !== undefined && isUntouched) resetField("organization", { defaultValue: home });
  }, [home, getFieldState, getValues, resetField]);
  return (
    <PickerField
      name="organization"
      label={t("user.organization")}
      hint={t("user.organization.hint")}
      queryKey="organization"
      find={findOrganizations}
      isRequired
    />
  );
}
