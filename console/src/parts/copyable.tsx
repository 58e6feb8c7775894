import { useState } from "react";
import { t } from "../text/catalogue.ts";
import { IconButton } from "./button.tsx";

/** A value in the typeface of code, with a button that copies it. */
export function Copyable({ value, label }: { readonly value: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <span className="copyable">
      <code>{value}</code>
      <IconButton
        icon={isCopied ? "check" : "copy"}
        label={isCopied ? t("common.copied") : t("common.copyNamed", { name: label ?? value })}
        onClick={() => void copy()}
      />
    </span>
  );
}
