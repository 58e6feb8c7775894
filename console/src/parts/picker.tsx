import { useQuery } from "@tanstack/react-query";
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { t } from "../text/catalogue.ts";
import { ErrorNotice } from "./notice.tsx";

export interface Choice {
  readonly id: string;
  readonly name: string;
  readonly detail?: string;
  /** Heading of the choices that it is among; those of one group are beside each other. */
  readonly group?: string;
}

interface PickerProps {
  readonly label: string;
  readonly chosen: Choice | undefined;
  readonly onChoose: (choice: Choice | undefined) => void;
  /** Returns at most ten choices for what was typed, where the server searches; all that match where there are few. */
  readonly find: (text: string) => Promise<readonly Choice[]>;
  /** Distinguishes the answers of this picker from those of others. */
  readonly queryKey: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
}

/** What is below the list moves when it closes, so that happens after the click that took the focus away. */
const closingDelay = 200;

/** A field that searches on the server while the user types (ARIA combobox with a list box). */
export function Picker({ label, chosen, onChoose, find, queryKey, hint, error, isOptional }: PickerProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOpen = typed !== undefined;
  const found = useQuery({
    queryKey: ["picker", queryKey, id, typed],
    queryFn: () => find((typed ?? "").trim()),
    enabled: isOpen,
    placeholderData: (previous) => previous,
  });
  const choices = (isOpen && found.data) || [];
  useInSight(isOpen ? `${id}-${active}` : undefined);

  const choose = (choice: Choice) => {
    onChoose(choice);
    setTyped(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) return setTyped("");
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive((active + step + choices.length) % Math.max(1, choices.length));
    } else if (event.key === "Enter" && isOpen && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const choice = choices[active];
      // What is shown while the answer is on its way belongs to the former text.
      if (choice !== undefined && !found.isPlaceholderData) choose(choice);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      setTyped(undefined);
    }
  };
  return (
    <div className="field picker">
      <label className="label" htmlFor={id}>
        {label}
        {isOptional && <span className="muted"> {t("form.optional")}</span>}
      </label>
      <input
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={choices[active] ? `${id}-${active}` : undefined}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-error`}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? chosen?.name ?? ""}
        onFocus={() => {
          clearTimeout(closing.current);
          setTyped(chosen ? undefined : "");
        }}
        onBlur={() => {
          closing.current = setTimeout(() => setTyped(undefined), closingDelay);
        }}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
          if (chosen) onChoose(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      {chosen?.detail && !isOpen && <p className="hint">{chosen.detail}</p>}
      {hint && <p className="hint">{hint}</p>}
      <p className="field-error" id={`${id}-error`} hidden={error === undefined}>
        {error}
      </p>
      {found.isError && <ErrorNotice error={found.error} />}
      <Choices id={id} label={label} choices={choices} active={active} onChoose={choose} isHidden={!isOpen}>
        {isOpen && found.isSuccess && choices.length === 0 && <p className="muted">{t("picker.nothing")}</p>}
      </Choices>
    </div>
  );
}

/** Scrolls what the keys have reached into sight. */
function useInSight(id: string | undefined) {
  useEffect(() => {
    if (id !== undefined) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  }, [id]);
}

const Choices = (props: {
  readonly id: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly active: number;
  readonly onChoose: (choice: Choice) => void;
  readonly isHidden: boolean;
  readonly children: ReactNode;
}) => (
  <div
    id={`${props.id}-list`}
    role="listbox"
    aria-label={props.label}
    className="list-box"
    hidden={props.isHidden}
    tabIndex={-1}
  >
    {props.choices.map((choice, index) => (
      <Fragment key={choice.id}>
        {choice.group !== undefined && choice.group !== props.choices[index - 1]?.group && (
          <p className="list-heading">{choice.group}</p>
        )}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys of the list (ARIA combobox) */}
        <div
          id={`${props.id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === props.active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => props.onChoose(choice)}
        >
          {choice.name}
          {choice.detail && <span className="muted"> {choice.detail}</span>}
        </div>
      </Fragment>
    ))}
    {props.children}
  </div>
);
