import { Fragment, type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface MenuItem {
  readonly label: string;
  /** Distinguishes items of one label. */
  readonly id?: string;
  /** Whether this is the chosen item, in a menu in which one is chosen. Users named these items. */
  readonly isChosen?: boolean;
  /** Begins another group of items. */
  readonly isApart?: boolean;
  readonly onSelect: () => void;
  readonly isDanger?: boolean;
  /** Why the item cannot be chosen; shown as its tip. */
  readonly disabledReason?: string | undefined;
}

interface MenuProps {
  readonly label: string;
  readonly icon?: IconName;
  /** What the button shows instead of an icon. */
  readonly children?: ReactNode;
  readonly items: readonly MenuItem[];
  readonly look?: "quiet" | "secondary";
}

/** A button that opens a list of actions (ARIA menu button). The popover is the browser's, which closes it outside. */
export function Menu({ label, icon = "more", children, items, look = "quiet" }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const moveToButton = () => {
    const from = button.current?.getBoundingClientRect();
    const popover = list.current;
    if (from === undefined || popover === null) return;
    const isRightToLeft = document.documentElement.dir === "rtl";
    const start = isRightToLeft ? from.left : from.right - popover.offsetWidth;
    popover.style.left = `${Math.max(8, Math.min(start, innerWidth - popover.offsetWidth - 8))}px`;
    const below = from.bottom + 4;
    const fits = below + popover.offsetHeight < innerHeight;
    popover.style.top = `${fits ? below : Math.max(8, from.top - popover.offsetHeight - 4)}px`;
  };
  const entries = () => [...(list.current?.querySelectorAll<HTMLButtonElement>("button") ?? [])];
  const move = (event: KeyboardEvent) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`button ${children ? look : "icon-only"}`}
        aria-haspopup="menu"
        aria-label={children ? undefined : label}
        title={children ? undefined : label}
        popoverTarget={id}
      >
        {children ?? <Icon name={icon} />}
        {children && <span className="only-read-aloud">{label}</span>}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="menu"
        tabIndex={-1}
        onKeyDown={move}
        onToggle={(event) => {
          if (event.newState !== "open") return;
          moveToButton();
          entries()[0]?.focus();
        }}
      >
        {items.map((item) => (
          <Fragment key={item.id ?? item.label}>
            {item.isApart && <hr />}
            <Item
              item={item}
              onSelect={() => {
                list.current?.hidePopover();
                item.onSelect();
              }}
            />
          </Fragment>
        ))}
      </div>
    </>
  );
}

const Item = ({
  item: { label, isChosen, isDanger, disabledReason },
  onSelect,
}: {
  readonly item: MenuItem;
  readonly onSelect: () => void;
}) => (
  <button
    type="button"
    {...(isChosen === undefined ? { role: "menuitem" } : { role: "menuitemradio", "aria-checked": isChosen })}
    tabIndex={-1}
    className={isDanger ? "danger" : undefined}
    aria-disabled={disabledReason !== undefined || undefined}
    title={disabledReason}
    onClick={() => {
      if (disabledReason === undefined) onSelect();
    }}
  >
    {isChosen === undefined ? label : <bdi>{label}</bdi>}
    {isChosen && <Icon name="check" />}
  </button>
);
