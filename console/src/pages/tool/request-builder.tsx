import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAddress } from "../../address.ts";
import { Button } from "../../parts/button.tsx";
import { ChoiceBar } from "../../parts/choice-bar.tsx";
import { CodeBlock } from "../../parts/code-block.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { DialogButton } from "../../parts/dialog-button.tsx";
import { ErrorNotice, Notice } from "../../parts/notice.tsx";
import { Facts, Page, Section } from "../../parts/page.tsx";
import { type Choice, Picker } from "../../parts/picker.tsx";
import { useSession } from "../../shell/session-context.ts";
import { t } from "../../text/catalogue.ts";
import { CodeDialog } from "./code-dialog.tsx";
import { isMethodName, isRead, type MethodDocument, readMethod, readMethodNames } from "./contract.ts";
import { readBody, writeBody } from "./request-body.ts";
import { RequestForm } from "./request-form.tsx";
import { type Answer, sendRequest } from "./send-request.ts";
import { ToolTabs } from "./tool-tabs.tsx";

const mostChoices = 10;

const takesAway = /^(?:Clear|Deactivate|Delete|End|Lock|Remove|Revoke|Terminate)/;

/**
 * Calls a method of the API as the user. A link chooses the method and nothing else: what is sent is on the page, and
 * nothing is sent before a button is pressed.
 */
export function RequestBuilderPage() {
  const { search, setSearch } = useAddress();
  const named = search["method"] ?? "";
  const method = isMethodName(named) ? named : undefined;
  const found = useQuery({
    queryKey: ["method-document", method],
    queryFn: async () => (await readMethod(method ?? "")) ?? null,
    enabled: method !== undefined,
  });
  const names = useQuery({ queryKey: ["method-names"], queryFn: readMethodNames, enabled: false });
  const find = async (text: string): Promise<readonly Choice[]> => {
    const words = text.toLowerCase().split(/\s+/);
    const all = names.data ?? (await names.refetch({ throwOnError: true })).data ?? [];
    const matching = all.filter(({ id, text: about }) =>
      words.every((word) => `${id} ${about}`.toLowerCase().includes(word)),
    );
    return matching.slice(0, mostChoices).map(({ id }) => choiceOf(id));
  };
  return (
    <Page title={t("request.title")} lead={t("request.lead")} tabs={<ToolTabs />}>
      <Picker
        label={t("request.method")}
        queryKey="method"
        chosen={method === undefined ? undefined : choiceOf(method)}
        onChoose={(choice) => {
          if (choice) setSearch({ method: choice.id });
        }}
        find={find}
      />
      {found.isLoading && (
        <p aria-busy="true">
          <span className="skeleton" />
        </p>
      )}
      {found.isError && <ErrorNotice error={found.error} />}
      {(found.data === null || (named !== "" && method === undefined)) && (
        <Notice kind="error">{t("request.unknown")}</Notice>
      )}
      {found.data && <Builder key={method} document={found.data} organizationId={search["org"] || undefined} />}
    </Page>
  );
}

const choiceOf = (id: string): Choice => {
  const [service = "", name = ""] = id.split("/");
  return { id, name, detail: service };
};

/** Words between backquotes are code. */
const withCode = (text: string) =>
  text.split("`").map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence stay where they are.
    index % 2 === 0 ? part : <code key={index}>{part}</code>,
  );

interface BuilderProps {
  readonly document: MethodDocument;
  readonly organizationId: string | undefined;
}

function Builder({ document, organizationId }: BuilderProps) {
  const session = useSession();
  const { service, method } = document;
  const name = `${service}/${method.name}`;
  const [text, setText] = useState(() => writeBody(isRead(document) ? {} : (method.example.body ?? {})));
  const [editor, setEditor] = useState<"form" | "json">("form");
  const [isAsking, setAsking] = useState(false);
  const body = readBody(text);
  const send = useMutation({
    mutationFn: () => sendRequest(session, { method: name, body: JSON.stringify(body), organizationId }),
  });
  return (
    <>
      <Section title={method.name} actions={<a href={`/docs/${name}`}>{t("request.docs")}</a>}>
        <p lang="en" dir="ltr">
          {withCode(method.text.split("\n\n", 1)[0] ?? "")} <span className="muted">{withCode(method.accessText)}</span>
        </p>
        <ChoiceBar
          label={t("request.body")}
          value={editor}
          options={[
            ["form", t("request.form")],
            ["json", "JSON"],
          ]}
          onChange={setEditor}
        />
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (body === undefined) return;
            if (!isRead(document)) setAsking(true);
            else send.mutate();
          }}
        >
          {editor === "form" && body !== undefined ? (
            <RequestForm document={document} body={body} onChange={(next) => setText(writeBody(next))} />
          ) : (
            <JsonEditor text={text} isWrong={body === undefined} onChange={setText} />
          )}
          <div className="form-actions">
            <Button type="submit" look="primary" disabled={body === undefined} isBusy={send.isPending}>
              {t("request.send")}
            </Button>
            {body !== undefined && (
              <DialogButton
                look="quiet"
                icon="code"
                dialog={(close) => <CodeDialog request={{ document, body, organizationId }} onClose={close} />}
              >
                {t("api.title")}
              </DialogButton>
            )}
          </div>
        </form>
      </Section>
      {isAsking && (
        <DangerDialog
          title={t("request.confirm", { name: method.name })}
          consequences={[t("request.confirm.effect")]}
          action={t("request.send")}
          look={takesAway.test(method.name) ? "danger" : "primary"}
          onConfirm={() => send.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          <CodeBlock code={text} label={t("request.body")} />
        </DangerDialog>
      )}
      {send.isError && !isAsking && <ErrorNotice error={send.error} />}
      {send.data && <AnswerSection answer={send.data} />}
    </>
  );
}

const JsonEditor = (props: {
  readonly text: string;
  readonly isWrong: boolean;
  readonly onChange: (text: string) => void;
}) => (
  <label className="field">
    <span className="label">{t("request.body")}</span>
    <textarea
      className="code"
      rows={14}
      spellCheck={false}
      aria-invalid={props.isWrong || undefined}
      value={props.text}
      onChange={({ target }) => props.onChange(target.value)}
    />
    {props.isWrong && (
      <span className="field-error" role="alert">
        {t("request.invalid")}
      </span>
    )}
  </label>
);

const AnswerSection = ({ answer }: { readonly answer: Answer }) => (
  <Section title={t("request.answer")}>
    <div role="status">
      <Facts
        facts={[
          [t("request.status"), String(answer.status)],
          [t("request.time"), `${answer.milliseconds} ms`],
          ...answer.headers.map(([name, value]) => [name, value] as const),
        ]}
      />
    </div>
    <CodeBlock code={answer.body} label={t("request.answer")} />
  </Section>
);
