import { type Project, ProjectState } from "@doorward/api/service/project/v2/project_pb";
import { Badge } from "../../parts/badge.tsx";
import { t } from "../../text/catalogue.ts";

/** Whether the project is active, and whether it belongs to another organization. */
export const ProjectBadges = ({ project: { state, grantedOrganizationId } }: { readonly project: Project }) => (
  <>
    {state === ProjectState.INACTIVE ? (
      <Badge look="bad">{t("project.inactive")}</Badge>
    ) : (
      <Badge look="good">{t("project.active")}</Badge>
    )}{" "}
    {grantedOrganizationId && <Badge>{t("project.granted")}</Badge>}
  </>
);
