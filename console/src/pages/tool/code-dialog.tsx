import { CodeBlock } from "../../parts/code-block.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { t } from "../../text/catalogue.ts";
import { type ShownRequest, toCurl, toTypeScript } from "./request-code.ts";

interface CodeDialogProps {
  readonly request: ShownRequest;
  readonly onClose: () => void;
}

/** Shows a request as code, with placeholders for secrets. */
export const CodeDialog = ({ request, onClose }: CodeDialogProps) => (
  <Dialog title={t("api.title")} onClose={onClose}>
    <CodeBlock code={toCurl(location.origin, request)} label="curl" />
    <CodeBlock code={toTypeScript(location.origin, request)} label="TypeScript" />
    <p className="muted small">{t("api.hint")}</p>
  </Dialog>
);
