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
  // What each says in the reader's language, by which they recognize it.
  const read = useQuery(
    AppearanceService.method.listPageTexts,
    { organizationId, language: textLanguage, page },
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
      {found.data && !read.isPending && (
        <Texts
          key={`${organizationId} ${language} ${word}`}
          texts={found.data.texts}
          sentences={new Map(read.data?.texts.map(({ name, inherited }) => [name, inherited]))}
          word={word}
          language={language}
        />
      )}
    </TextsFrame>
  );
}

interface TextsProps {
  readonly texts: readonly PageText[];
  /** What the texts say in the reader's language, by name. */
  readonly sentences: ReadonlyMap<string, string>;
  readonly word: PageWord;
  readonly language: string;
}

// A dot in the name of a field would be a path of the form.
const fieldOf = ({ name }: PageText): string => name.replaceAll(".", "/");

function Texts({ texts, sentences, word, language }: TextsProps) {
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
              <OneText
                key={text.name}
                text={text}
                label={sentences.get(text.name) || text.inherited || text.name}
                isReplaced={(values[fieldOf(text)] ?? "") !== ""}
                language={language}
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

/** The field of one text. */
function OneText(props: {
  readonly text: PageText;
  readonly label: string;
  readonly isReplaced: boolean;
  readonly language: string;
}) {
  const { text, label, isReplaced, language } = props;
  return (
    <TextField
      name={fieldOf(text)}
      label={label}
      rows={text.inherited.length > 70 ? 3 : 1}
      hasUsual
      placeholder={text.inherited}
      lang={language}
      dir="auto"
      hint={
        <>
          <Role of={text} />
          <Inherited
            isReplaced={isReplaced}
            text={text.inherited}
            language={language}
            isOfInstance={text.isOfInstance}
            placeholders={text.placeholders.map((name) => `{${name}}`)}
          />
        </>
      }
      check={(typed) => foreignIn(typed, text.placeholders)}
    />
  );
}

/** What a text is on its page, and its name in the API. */
function Role({ of: { name } }: { readonly of: PageText }) {
  const last = name.slice(name.lastIndexOf(".") + 1);
  const [role] = roles.find(([, pattern]) => pattern.test(last)) ?? ["label" as const];
  return (
    <>
      {t(`appearance.role.${role}`)} <code>{name}</code>{" "}
    </>
  );
}

// The last word of a name says what the text is: "login_name.title" is the heading of its page.
const roles = [
  ["heading", /(?:^|_)(?:title|heading)$/],
  ["text", /(?:^|_)text$/],
  ["button", /^(?:next|submit|skip|cancel|continue|sign_in|accept|decline|allow|deny|resend|back)(?:_|$)/],
  ["hint", /(?:^|_)hint$/],
] as const;

function foreignIn(typed: string, known: readonly string[]): string | undefined {
  const foreign = [...typed.matchAll(/\{(\w+)/g)].map(([, name = ""]) => name).find((name) => !known.includes(name));
  return foreign === undefined ? undefined : t("appearance.placeholder.unknown", { name: `{${foreign}}` });
}
