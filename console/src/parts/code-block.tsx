import { useState } from "react";
import { t } from "../text/catalogue.ts";
import { IconButton } from "./button.tsx";

/** Lines of code with a button that copies them. `label` says what they are. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by the keyboard, too. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a section cannot keep lines as they are. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
      <IconButton
        icon={isCopied ? "check" : "copy"}
        label={isCopied ? t("common.copied") : t("common.copyNamed", { name: label })}
        onClick={() => void copy()}
      />
    </div>
  );
}
