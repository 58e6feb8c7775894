import { t } from "../../text/catalogue.ts";

/** What a text is without an own one, and what it may contain. */
export const Inherited = (props: {
  /** There is an own text, so that the field no longer shows the inherited one. */
  readonly isReplaced: boolean;
  readonly text: string;
  readonly language: string;
  readonly isOfInstance: boolean;
  readonly placeholders: readonly string[];
}) => (
  <>
    {props.isReplaced && (
      <>
        {props.isOfInstance ? t("appearance.texts.instance") : t("appearance.texts.builtIn")}{" "}
        <q lang={props.language} dir="auto">
          {props.text}
        </q>
      </>
    )}
    {props.placeholders.length > 0 && (
      <>
        {" "}
        {t("appearance.placeholders")}{" "}
        {props.placeholders.map((name) => (
          <code key={name} className="chip">
            {name}
          </code>
        ))}
      </>
    )}
  </>
);
