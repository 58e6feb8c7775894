import { useQuery } from "@connectrpc/connect-query";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { ErrorNotice } from "../../parts/notice.tsx";
import { t } from "../../text/catalogue.ts";

interface RoleChoiceProps {
  readonly projectId: string;
  readonly chosen: readonly string[];
  readonly onChoose: (keys: readonly string[]) => void;
}

const limit = 100;

/** Chooses among the roles of a project. More than a hundred are not offered; such roles are assigned by the API. */
export function RoleChoice({ projectId, chosen, onChoose }: RoleChoiceProps) {
  const found = useQuery(ProjectService.method.listProjectRoles, { projectId, pagination: { limit, asc: true } });
  return (
    <fieldset className="field">
      <legend className="label">{t("project.tab.roles")}</legend>
      {found.isError && <ErrorNotice error={found.error} />}
      {found.data?.projectRoles.length === 0 && <p className="muted">{t("project.role.none")}</p>}
      {found.data?.projectRoles.map(({ key, displayName }) => (
        <label key={key} className="choice">
          <input
            type="checkbox"
            checked={chosen.includes(key)}
            onChange={({ target }) => onChoose(target.checked ? [...chosen, key] : chosen.filter((one) => one !== key))}
          />
          {displayName} <code className="muted">{key}</code>
        </label>
      ))}
    </fieldset>
  );
}
