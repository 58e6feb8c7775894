import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { ImpersonationService } from "@doorward/api/service/impersonation/v2/impersonation_service_pb";
import type { User } from "@doorward/api/service/user/v2/user_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { nameOf } from "../../api/user-name.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, SelectField } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { PickerField } from "../../parts/picker-field.tsx";
import { t } from "../../text/catalogue.ts";
import { isConsole } from "../application/application-facts.ts";

interface Values {
  readonly application: Choice | undefined;
  readonly reason: string;
  readonly minutes: string;
}

const lengths = ["5", "15", "30", "60"].map((minutes) => [minutes, minutes] as const);

/** Begins to act as a user at one application, and leads to the page on which that is used and ended. */
export function ImpersonationDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const transport = useTransport();
  const [path, setPath] = useState<string>();
  const form = useForm<Values>({ defaultValues: { application: undefined, reason: "", minutes: "15" } });
  const find = async (text: string): Promise<readonly Choice[]> => {
    const value = { name: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
    const { applications } = await createClient(ApplicationService, transport).listApplications({
      pagination: { limit: 10, asc: true },
      filters: text === "" ? [] : [{ filter: { case: "nameFilter", value } }],
    });
    // No other kind of application gets its tokens for a code, and the console is refused because it calls our API.
    return applications
      .filter((application) => application.configuration.case === "oidcConfiguration" && !isConsole(application))
      .map(({ applicationId, name }) => ({ id: applicationId, name, detail: applicationId }));
  };
  return (
    <Dialog title={t("user.impersonate.title", { name: nameOf(user) })} onClose={onClose}>
      {path === undefined ? (
        <Form
          form={form}
          action={t("user.impersonate.begin")}
          onSave={async ({ application, reason, minutes }) => {
            const made = await createClient(ImpersonationService, transport).createImpersonation({
              userId: user.userId,
              applicationId: application?.id ?? "",
              reason,
              lifetimeMinutes: Number(minutes),
            });
            setPath(made.path);
          }}
        >
          <PickerField
            name="application"
            label={t("user.impersonate.application")}
            queryKey="application-of-impersonation"
            find={find}
            isRequired
          />
          <Field
            name="reason"
            label={t("user.impersonate.reason")}
            hint={t("user.impersonate.reason.hint")}
            maxLength={500}
            isRequired
          />
          <SelectField name="minutes" label={t("user.impersonate.minutes")} options={lengths} />
        </Form>
      ) : (
        <Notice>
          <p>{t("user.impersonate.started")}</p>
          <p>
            <a href={path} target="_blank" rel="noopener">
              {t("user.impersonate.open")}
            </a>
          </p>
        </Notice>
      )}
    </Dialog>
  );
}
