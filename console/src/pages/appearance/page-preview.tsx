import { useState } from "react";
import { t } from "../../text/catalogue.ts";
import {
  knownWord,
  messageOptions,
  messageWords,
  numberOfMessage,
  numberOfPage,
  pageOptions,
  pageWords,
} from "./kinds.ts";
import { Languages } from "./languages-choice.tsx";
import { ErrorsChoice, Preview } from "./preview.tsx";

interface PagePreviewProps {
  /** The language at first. */
  readonly language: string;
  readonly look: Parameters<typeof Preview>[0]["look"];
  /** Whether messages can be looked at as well. */
  readonly hasMessages?: boolean;
}

/** A preview in which page, language and state are chosen. */
export function PagePreview({ language: first, look, hasMessages = false }: PagePreviewProps) {
  const [chosen, setChosen] = useState("loginName");
  const [language, setLanguage] = useState(first);
  const [hasErrors, setErrors] = useState(false);
  const message = chosen.startsWith("message.") ? chosen.slice("message.".length) : undefined;
  const subject =
    message === undefined
      ? ({
          case: "page",
          value: { page: numberOfPage(knownWord(pageWords, chosen, "loginName")), hasErrors, texts: {} },
        } as const)
      : ({ case: "message", value: { kind: numberOfMessage(knownWord(messageWords, message, "init")) } } as const);
  return (
    <Preview subject={subject} language={language} look={look}>
      <label className="filter-choice">
        <span className="only-read-aloud">{t("appearance.preview.shown")}</span>
        <select value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <optgroup label={t("appearance.pages")}>
            {pageOptions().map(([word, name]) => (
              <option key={word} value={word}>
                {name}
              </option>
            ))}
          </optgroup>
          {hasMessages && (
            <optgroup label={t("appearance.messages")}>
              {messageOptions().map(([word, name]) => (
                <option key={word} value={`message.${word}`}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </label>
      <Languages value={language} onChange={setLanguage} />
      {message === undefined && <ErrorsChoice value={hasErrors} onChange={setErrors} />}
    </Preview>
  );
}
