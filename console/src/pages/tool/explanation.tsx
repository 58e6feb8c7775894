import {
  type ExplainPermissionResponse,
  PermissionLevel,
  type PermissionPath,
  type PermissionRoles,
} from "@doorward/api/service/internal_permission/v2/explanation_pb";
import { Link } from "@tanstack/react-router";
import { Badge } from "../../parts/badge.tsx";
import { Section } from "../../parts/page.tsx";
import { type TextKey, t } from "../../text/catalogue.ts";

const levels: Readonly<Record<number, TextKey>> = {
  [PermissionLevel.INSTANCE]: "explain.level.instance",
  [PermissionLevel.ORGANIZATION]: "explain.level.organization",
  [PermissionLevel.PROJECT]: "explain.level.project",
  [PermissionLevel.PROJECT_GRANT]: "explain.level.grant",
};

/** What gives the permission to the user, or what is missing and who may give it. */
export const Explanation = ({ answer }: { readonly answer: ExplainPermissionResponse }) => (
  <div aria-live="polite">
    <Section
      title={answer.allowed ? t("explain.yes") : t("explain.no")}
      actions={
        answer.allowed ? (
          <Badge look="good">{t("explain.allowed")}</Badge>
        ) : (
          <Badge look="bad">{t("explain.missing")}</Badge>
        )
      }
    >
      {answer.inactive && <p>{t("explain.inactive")}</p>}
      {answer.allowedForOwn && <p>{t("explain.own")}</p>}
      {answer.permissions.length > 0 && <p>{t("explain.permissions", { names: answer.permissions.join(", ") })}</p>}
      {answer.paths.length > 0 && (
        <ul className="consequences">
          {answer.paths.map((path) => (
            <li key={sentenceOf(path)}>
              {sentenceOf(path)} {!path.effective && <Badge look="warning">{t("explain.noEffect")}</Badge>}
            </li>
          ))}
        </ul>
      )}
      {answer.missing.length > 0 && (
        <>
          <p>{t("explain.roles")}</p>
          <ul className="consequences">
            {answer.missing.map((roles) => (
              <li key={`${roles.level} ${roles.resourceId}`}>{rolesSentence(roles)}</li>
            ))}
          </ul>
        </>
      )}
      {answer.administrators.length > 0 && (
        <>
          <p>{t("explain.givers")}</p>
          <ul className="consequences">
            {answer.administrators.map(({ id, displayName, preferredLoginName }) => (
              <li key={id}>
                <Link to={`/users/${id}` as "/"}>{displayName || preferredLoginName}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  </div>
);

function rolesSentence({ level, resourceId, roles }: PermissionRoles): string {
  const key = levels[level] ?? "explain.level.instance";
  return t(key, { roles: roles.join(", "), id: resourceId });
}

function sentenceOf({ path }: PermissionPath): string {
  if (path.case === "administrator") return rolesSentence(path.value);
  const { groupName = "", organizationId = "" } = path.value ?? {};
  return groupName === ""
    ? t("explain.assignment", { id: organizationId })
    : t("explain.assignment.group", { id: organizationId, group: groupName });
}
