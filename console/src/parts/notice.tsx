import type { ReactNode } from "react";
import { problemOf } from "../api/problem.ts";
import { t } from "../text/catalogue.ts";

interface NoticeProps {
  readonly kind?: "info" | "success" | "warning" | "error";
  readonly children: ReactNode;
}

/** A sentence about the page. Errors are announced when they appear. */
export const Notice = ({ kind = "info", children }: NoticeProps) => (
  <div className={`notice ${kind}`} role={kind === "error" ? "alert" : "status"}>
    {children}
  </div>
);

/** What the server refused, in its own words. */
export function ErrorNotice({ error }: { readonly error: unknown }) {
  const problem = problemOf(error);
  return (
    <Notice kind="error">
      <p>{problem.message}</p>
      {problem.isForbidden && <p className="muted">{t("problem.forbidden")}</p>}
      {problem.id !== undefined && <p className="muted small">{problem.id}</p>}
    </Notice>
  );
}
