import { type ReactNode, useEffect, useState } from "react";
import { t } from "../text/catalogue.ts";
import { Icon } from "./icon.tsx";

interface FilterBarProps {
  /** What is searched, such as "Search by name, email or id". */
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Further filters. */
  readonly children?: ReactNode;
}

const pause = 250;

/** The search field above a list. It reports a text once the user pauses, so that each key is not a request. */
export function FilterBar({ label, text, onText, children }: FilterBarProps) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => onText(typed.trim()), pause);
    return () => clearTimeout(timer);
  }, [typed, text, onText]);
  return (
    <search className="filter-bar">
      <label className="search-field">
        <span className="only-read-aloud">{label}</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder={label}
          value={typed}
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {children}
    </search>
  );
}

/** Filters above a list that is not searched by a text. */
export const Filters = ({ children }: { readonly children: ReactNode }) => (
  <search className="filter-bar">{children}</search>
);

/** A filter with few values. The empty value is "all". */
export const FilterChoice = (props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}) => (
  <label className="filter-choice">
    <span>{props.label}</span>
    <select value={props.value} onChange={(event) => props.onChange(event.target.value)}>
      <option value="">{t("filter.all")}</option>
      {props.options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  </label>
);
