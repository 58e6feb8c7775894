import type { ReactNode } from "react";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { t } from "../../text/catalogue.ts";

/** What surrounds the pages about texts. */
export const TextsFrame = ({ children }: { readonly children: ReactNode }) => (
  <Page
    title={t("appearance.texts")}
    lead={t("appearance.texts.lead")}
    parent={{ to: "/settings", label: t("nav.settings") }}
    tabs={
      <Tabs
        label={t("appearance.texts")}
        tabs={[
          { to: "/settings/texts", label: t("appearance.pages"), exact: true },
          { to: "/settings/texts/messages", label: t("appearance.messages") },
        ]}
      />
    }
  >
    {children}
  </Page>
);

/** A choice that is always made. */
export const Choice = <Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
}) => (
  <label className="filter-choice">
    <span>{props.label}</span>
    <select value={props.value} onChange={(event) => props.onChange(event.target.value as Value)}>
      {props.options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  </label>
);
