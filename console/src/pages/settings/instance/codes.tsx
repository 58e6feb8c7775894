import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { type SecretGenerator, SecretGeneratorType } from "@doorward/api/service/settings/v1/secret_generator_pb";
import { useForm } from "react-hook-form";
import { ActionTable } from "../../../parts/action-table.tsx";
import { CheckField, Field } from "../../../parts/form.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Page } from "../../../parts/page.tsx";
import type { Column } from "../../../parts/table.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { type TextKey, t } from "../../../text/catalogue.ts";
import { withUnit } from "../setting-words.ts";

const kinds: Readonly<Partial<Record<SecretGeneratorType, TextKey>>> = {
  [SecretGeneratorType.INIT_CODE]: "settings.codes.init",
  [SecretGeneratorType.VERIFY_EMAIL_CODE]: "settings.codes.email",
  [SecretGeneratorType.VERIFY_PHONE_CODE]: "settings.codes.phone",
  [SecretGeneratorType.PASSWORD_RESET_CODE]: "settings.codes.reset",
  [SecretGeneratorType.PASSWORDLESS_INIT_CODE]: "settings.codes.passkey",
  [SecretGeneratorType.APP_SECRET]: "settings.codes.secret",
  [SecretGeneratorType.OTP_SMS]: "settings.codes.otpSms",
  [SecretGeneratorType.OTP_EMAIL]: "settings.codes.otpEmail",
  [SecretGeneratorType.INVITE_CODE]: "settings.codes.invite",
};

function kindText({ generatorType }: SecretGenerator): string {
  const key = kinds[generatorType];
  return key === undefined ? String(generatorType) : t(key);
}

/** Secrets of applications stay until they are replaced. */
const expires = ({ generatorType }: SecretGenerator): boolean => generatorType !== SecretGeneratorType.APP_SECRET;

const minutesOf = ({ expiry }: SecretGenerator): number => Number(expiry?.seconds ?? 0) / 60;

function lifetimeText(generator: SecretGenerator): string {
  if (!expires(generator)) return t("settings.codes.never");
  const minutes = minutesOf(generator);
  if (minutes >= 60 && minutes % 60 === 0) return t("settings.codes.hours", { count: minutes / 60 });
  return t("settings.codes.minutes", { count: minutes });
}

const charactersText = (generator: SecretGenerator): string =>
  [
    generator.includeUpperLetters && t("settings.codes.upper"),
    generator.includeLowerLetters && t("settings.codes.lower"),
    generator.includeDigits && t("settings.codes.digits"),
    generator.includeSymbols && t("settings.codes.symbols"),
  ]
    .filter((text) => text !== false)
    .join(", ");

const columns: readonly Column<SecretGenerator>[] = [
  { key: "kind", header: t("settings.codes.kind"), cell: kindText },
  { key: "length", header: t("settings.codes.length"), cell: ({ length }) => length },
  { key: "lifetime", header: t("settings.codes.lifetime"), cell: lifetimeText },
  { key: "characters", header: t("settings.codes.characters"), cell: charactersText, isSecondary: true },
];

/** How codes and secrets are made, and how long codes are valid. */
export function CodesPage() {
  const found = useQuery(AdminService.method.listSecretGenerators, {});
  return (
    <Page
      title={t("settings.codes")}
      lead={t("settings.codes.lead")}
      parent={{ to: "/settings", label: t("nav.settings") }}
    >
      <ActionTable
        label={t("settings.codes")}
        columns={columns}
        rows={found.data?.result}
        rowKey={({ generatorType }) => String(generatorType)}
        error={found.error}
        isLoading={found.isFetching}
        empty={null}
        actionsLabel={(generator) => t("settings.mail.actions", { name: kindText(generator) })}
        obstacle={useObstacle("iam.write")}
        actions={(generator) => [
          {
            label: t("settings.codes.change"),
            dialog: (close) => <CodeDialog generator={generator} onClose={close} onDone={() => found.refetch()} />,
          },
        ]}
      />
    </Page>
  );
}

interface CodeDialogProps {
  readonly generator: SecretGenerator;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

function CodeDialog({ generator, onClose, onDone }: CodeDialogProps) {
  const admin = createClient(AdminService, useTransport());
  const { generatorType, includeUpperLetters, includeLowerLetters, includeDigits, includeSymbols } = generator;
  const form = useForm({
    defaultValues: {
      length: String(generator.length),
      minutes: String(minutesOf(generator)),
      includeUpperLetters,
      includeLowerLetters,
      includeDigits,
      includeSymbols,
    },
  });
  return (
    <FormDialog
      title={kindText(generator)}
      action={t("common.save")}
      form={form}
      done={t("settings.saved")}
      onClose={onClose}
      onSave={async ({ length, minutes, ...characters }) => {
        const expiry = { seconds: BigInt(Math.round(Number(minutes) * 60)), nanos: 0 };
        await admin.updateSecretGenerator({ generatorType, length: Number(length), expiry, ...characters });
        await onDone();
      }}
    >
      <Field name="length" label={t("settings.codes.length")} type="number" min={1} isRequired />
      {expires(generator) && (
        <Field
          name="minutes"
          label={withUnit("settings.codes.lifetime", "minutes")}
          type="number"
          min={0}
          step="any"
          isRequired
        />
      )}
      <CheckField name="includeUpperLetters" label={t("settings.codes.upper")} />
      <CheckField name="includeLowerLetters" label={t("settings.codes.lower")} />
      <CheckField name="includeDigits" label={t("settings.codes.digits")} />
      <CheckField name="includeSymbols" label={t("settings.codes.symbols")} />
    </FormDialog>
  );
}
