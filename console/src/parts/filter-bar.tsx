import { type ReactNode, useEffect, useState } from "react";
import type { ListName } from "../lists.ts";
import { t } from "../text/catalogue.ts";
import { Icon } from "./icon.tsx";
import { ViewsMenu } from "./view/views-menu.tsx";

interface FilterBarProps {
  /** What is searched, such as "Search by name, email or id". */
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Further filters. */
  readonly children?: ReactNode;
  /** The list, where users may save views of it. */
  readonly list?: ListName | undefined;
}

const pause = 250;
// What addresses hold of it.
const longestText = 500;

/** The search field above a list. It reports a text once the user pauses, so that each key is not a request. */
export function FilterBar({ label, text, onText, children, list }: FilterBarProps) {
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
          maxLength={longestText}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {children}
      {list && <ViewsMenu list={list} />}
    </search>
  );
}

/** Filters above a list that is not searched by a text. */
export const Filters = ({ children, list }: Pick<FilterBarProps, "children" | "list">) => (
  <search className="filter-bar">
    {children}
    {list && <ViewsMenu list={list} />}
  </search>
);

/** A filter with few values. The empty value is "all"; one that is no choice any longer is shown as it is. */
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
      {props.value !== "" && !props.options.some(([value]) => value === props.value) && (
        <option value={props.value}>{props.value}</option>
      )}
      {props.options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  </label>
);
