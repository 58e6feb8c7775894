import type { ButtonHTMLAttributes, ReactNode } from "react";
import { t } from "../text/catalogue.ts";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "primary" | "secondary" | "danger" | "quiet";
  readonly icon?: IconName;
  /** The action runs: the button stays focused but does nothing. */
  readonly isBusy?: boolean | undefined;
  /** Why the button cannot be used, as its tip. */
  readonly disabledReason?: string | undefined;
  readonly children?: ReactNode;
}

/** A button with a text. One button of a page or dialog has the primary look. */
export function Button(props: ButtonProps) {
  const {
    look = "secondary",
    icon,
    isBusy = false,
    disabledReason,
    disabled,
    title,
    children,
    onClick,
    ...rest
  } = props;
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || disabledReason !== undefined}
      title={disabledReason ?? title}
      className={`button ${look}`}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
    >
      {icon && <Icon name={icon} />}
      {isBusy ? t("common.working") : children}
    </button>
  );
}

/** A button that is only an icon. `label` is what it does, for assistive technology and as its tip. */
export const IconButton = ({
  icon,
  label,
  ...rest
}: ButtonProps & { readonly icon: IconName; readonly label: string }) => (
  <button type="button" {...rest} className="button icon-only" aria-label={label} title={label}>
    <Icon name={icon} />
  </button>
);
