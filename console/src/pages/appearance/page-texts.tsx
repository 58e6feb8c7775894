import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import type { PageText } from "@doorward/api/service/appearance/v2/appearance_pb";
import { AppearanceService } from "@doorward/api/service/appearance/v2/appearance_service_pb";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Form, TextField } from "../../parts/form.tsx";
import { ErrorNotice, Notice } from "../../parts/notice.tsx";
import { useObstacle, useOrganizationId } from "../../shell/access.ts";
import { t, textLanguage } from "../../text/catalogue.ts";
import { Inherited } from "./inherited.tsx";
import { knownWord, numberOfPage, type PageWord, pageOptions, pageWords } from "./kinds.ts";
import { Languages } from "./languages-choice.tsx";
import { ErrorsChoice, Preview } from "./preview.tsx";
import { Choice, TextsFrame } from "./texts-frame.tsx";

/** The texts of the sign-in pages, page by page, beside the real page. */
export function PageTextsPage() {
  const { search, setSearch } = useAddress();
  const organizationId = useOrganizationId() ?? "";
  const language = search["locale"] || textLanguage;
  const word = knownWord(pageWords, search["shown"], "loginName");
  const page = numberOfPage(word);
  const found = useQuery(
    AppearanceService.method.listPageTexts,
    { organizationId, language, page },
    { refetchOnWindowFocus: false },
  );
  return (
    <TextsFrame>
      <div className="filter-bar">
        <Choice
          label={t("appearance.page")}
          value={word}
          options={pageOptions()}
          onChange={(next) => setSearch({ shown: next })}
        />
        <Languages value={language} onChange={(next) => setSearch({ locale: next })} />
      </div>
      {found.isError && <ErrorNotice error={found.error} />}
      {found.data && (
        <Texts key={`${organizationId} ${language} ${word}`} texts={found.data.texts} word={word} language={language} />
      )}
    </TextsFrame>
  );
}

interface TextsProps {
  readonly texts: readonly PageText[];
  readonly word: PageWord;
  readonly language: string;
}

// A dot in the name of a field would be a path of the form.
const fieldOf = ({ name }: PageText): string => name.replaceAll(".", "/");

function Texts({ texts, word, language }: TextsProps) {
  const organizationId = useOrganizationId() ?? "";
  const client = createClient(AppearanceService, useTransport());
  const refresh = useRefresh();
  const obstacle = useObstacle(organizationId === "" ? "iam.policy.write" : "policy.write");
  const [isResetting, setResetting] = useState(false);
  const [hasErrors, setErrors] = useState(false);
  const form = useForm<Record<string, string>>({
    defaultValues: Object.fromEntries(texts.map((text) => [fieldOf(text), text.own])),
  });
  const values = useWatch({ control: form.control }) as Readonly<Record<string, string>>;
  const changed = (typed: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      texts
        .map((text) => [text.name, typed[fieldOf(text)] ?? "", text.own] as const)
        .filter(([, text, own]) => text !== own)
        .map(([name, text]) => [name, text]),
    );
  const set = async (given: Record<string, string>) => {
    await client.setPageTexts({ organizationId, language, texts: given });
    await refresh(AppearanceService);
  };
  const own = texts.filter((text) => text.own !== "");
  const value = { page: numberOfPage(word), hasErrors, texts: changed(values) };
  return (
    <div className="with-preview">
      <div className="column">
        {texts.length === 0 && <Notice>{t("appearance.texts.ofInstance")}</Notice>}
        {texts.length > 0 && (
          <Form
            form={form}
            onSave={(typed) => set(changed(typed))}
            done={t("appearance.texts.saved")}
            readOnlyReason={obstacle}
            more={own.length > 0 && <Button onClick={() => setResetting(true)}>{t("appearance.texts.reset")}</Button>}
          >
            {texts.map((text) => (
              <TextField
                key={text.name}
                name={fieldOf(text)}
                label={labelOf(text)}
                rows={text.inherited.length > 70 ? 3 : 1}
                hasUsual
                placeholder={text.inherited}
                lang={language}
                dir="auto"
                hint={
                  <Inherited
                    isReplaced={(values[fieldOf(text)] ?? "") !== ""}
                    text={text.inherited}
                    language={language}
                    isOfInstance={text.isOfInstance}
                    placeholders={text.placeholders.map((name) => `{${name}}`)}
                  />
                }
                check={(typed) => foreignIn(typed, text.placeholders)}
              />
            ))}
          </Form>
        )}
      </div>
      <Preview subject={{ case: "page", value }} language={language}>
        <ErrorsChoice value={hasErrors} onChange={setErrors} />
      </Preview>
      {isResetting && (
        <DangerDialog
          title={t("appearance.texts.reset")}
          consequences={[t("appearance.texts.reset.consequence")]}
          action={t("appearance.texts.reset")}
          onConfirm={async () => {
            await set(Object.fromEntries(own.map(({ name }) => [name, ""])));
            form.reset(Object.fromEntries(texts.map((text) => [fieldOf(text), ""])));
          }}
          onClose={() => setResetting(false)}
        />
      )}
    </div>
  );
}

// The names of texts say where they stand: "login_name.title" is the title of its page.
function labelOf({ name }: PageText): string {
  const [area = "", ...rest] = name.split(".");
  const words = (rest.length === 0 ? area : rest.join(": ")).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function foreignIn(typed: string, known: readonly string[]): string | undefined {
  const foreign = [...typed.matchAll(/\{(\w+)/g)].map(([, name = ""]) => name).find((name) => !known.includes(name));
  return foreign === undefined ? undefined : t("appearance.placeholder.unknown", { name: `{${foreign}}` });
}
