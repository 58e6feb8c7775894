import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { AppearanceService } from "@doorward/api/service/appearance/v2/appearance_service_pb";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Field, Form, TextField } from "../../parts/form.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { useObstacle, useOrganizationId } from "../../shell/access.ts";
import { t, textLanguage } from "../../text/catalogue.ts";
import { Inherited } from "./inherited.tsx";
import { knownWord, type MessageWord, messageOptions, messageWords, numberOfMessage } from "./kinds.ts";
import { Languages } from "./languages-choice.tsx";
import {
  isTextMessage,
  type MessageAccess,
  type MessagePart,
  type MessageTexts,
  messageAccess,
  partsOf,
  placeholdersOf,
} from "./message-access.ts";
import { Preview } from "./preview.tsx";
import { Choice, TextsFrame } from "./texts-frame.tsx";

/** The texts of the messages that users get, beside the real message. */
export function MessageTextsPage() {
  const { search, setSearch } = useAddress();
  const organizationId = useOrganizationId();
  const language = search["locale"] || textLanguage;
  const word = knownWord(messageWords, search["shown"], "init");
  const access = messageAccess(useTransport(), organizationId, word);
  const found = useQuery({
    queryKey: ["message-texts", word, language],
    queryFn: () => access.read(language),
    refetchOnWindowFocus: false,
  });
  return (
    <TextsFrame>
      <div className="filter-bar">
        <Choice
          label={t("appearance.message")}
          value={word}
          options={messageOptions()}
          onChange={(next) => setSearch({ shown: next })}
        />
        <Languages value={language} onChange={(next) => setSearch({ locale: next })} />
      </div>
      {found.isError && <ErrorNotice error={found.error} />}
      {found.data && (
        <Texts
          key={`${organizationId} ${language} ${word}`}
          {...found.data}
          access={access}
          word={word}
          language={language}
        />
      )}
    </TextsFrame>
  );
}

interface TextsProps {
  readonly own: MessageTexts;
  readonly inherited: MessageTexts;
  readonly access: MessageAccess;
  readonly word: MessageWord;
  readonly language: string;
}

const longParts: readonly MessagePart[] = ["greeting", "text", "footerText"];

function Texts({ own, inherited, access, word, language }: TextsProps) {
  const organizationId = useOrganizationId();
  const queries = useQueryClient();
  const client = createClient(AppearanceService, useTransport());
  const refresh = useRefresh();
  const obstacle = useObstacle(organizationId === undefined ? "iam.policy.write" : "policy.write");
  const [isResetting, setResetting] = useState(false);
  const form = useForm<MessageTexts>({ defaultValues: own });
  const typed = useWatch({ control: form.control }) as MessageTexts;
  const parts = partsOf(word);
  const placeholders = placeholdersOf(word);
  const readAgain = async () => {
    await queries.invalidateQueries({ queryKey: ["message-texts", word, language] });
    await refresh(AppearanceService);
  };
  const given = (values: MessageTexts): Partial<MessageTexts> =>
    Object.fromEntries(parts.map((part) => [part, values[part]]));
  const message = { kind: numberOfMessage(word), parts: given(typed) };
  const sendTest = () => client.sendTestMessage({ organizationId: organizationId ?? "", message, language });
  return (
    <div className="with-preview">
      <div className="column">
        <p className="muted small">
          {t("appearance.placeholders")}{" "}
          {placeholders.map((name) => (
            <code key={name} className="chip">{`{{.${name}}}`}</code>
          ))}
        </p>
        <Form
          form={form}
          onSave={async (values) => {
            await access.save(language, given(values));
            await readAgain();
          }}
          done={t("appearance.texts.saved")}
          readOnlyReason={obstacle}
          more={
            Object.values(own).some((text) => text !== "") && (
              <Button onClick={() => setResetting(true)}>{t("appearance.texts.reset")}</Button>
            )
          }
        >
          {parts.map((part) => (
            <PartField
              key={part}
              part={part}
              inherited={inherited[part]}
              isReplaced={(typed[part] ?? "") !== ""}
              word={word}
              language={language}
            />
          ))}
        </Form>
      </div>
      <div className="preview-column">
        <Preview subject={{ case: "message", value: message }} language={language} />
        {!isTextMessage(word) && (
          <div className="preview-actions">
            <ActionButton icon="message" run={sendTest} done={t("appearance.test.sent")} disabledReason={obstacle}>
              {t("appearance.test")}
            </ActionButton>
          </div>
        )}
      </div>
      {isResetting && (
        <DangerDialog
          title={t("appearance.texts.reset")}
          consequences={[t("appearance.texts.reset.message")]}
          action={t("appearance.texts.reset")}
          onConfirm={async () => {
            await access.reset(language);
            form.reset(Object.fromEntries(parts.map((part) => [part, ""])));
            await readAgain();
          }}
          onClose={() => setResetting(false)}
        />
      )}
    </div>
  );
}

interface PartFieldProps {
  readonly part: MessagePart;
  readonly inherited: string;
  readonly isReplaced: boolean;
  readonly word: MessageWord;
  readonly language: string;
}

function PartField({ part, inherited, isReplaced, word, language }: PartFieldProps) {
  const props = {
    name: part,
    label: t(`appearance.part.${part}`),
    hasUsual: true,
    placeholder: inherited,
    lang: language,
    dir: "auto",
    hint: inherited !== "" && isReplaced && (
      <Inherited isReplaced text={inherited} language={language} isOfInstance={false} placeholders={[]} />
    ),
    check: (text: string) => foreignIn(text, word),
  };
  if (!longParts.includes(part)) return <Field {...props} />;
  return <TextField {...props} rows={part === "text" ? 5 : 2} />;
}

function foreignIn(typed: string, word: MessageWord): string | undefined {
  const known = [...placeholdersOf(word), "LoginNames", "VerifiedEmail", "VerifiedPhone", "CreationDate", "ChangeDate"];
  const foreign = [...typed.matchAll(/\{\{\s*\.(\w+)/g)]
    .map(([, name = ""]) => name)
    .find((name) => !known.includes(name));
  return foreign === undefined ? undefined : t("appearance.placeholder.unknown", { name: `{{.${foreign}}}` });
}
