import { useQuery } from "@connectrpc/connect-query";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { useId } from "react";
import { OrganizationPicker } from "../../parts/organization-picker.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { ProjectPicker } from "../../parts/pickers.tsx";
import { t } from "../../text/catalogue.ts";
import type { ReadUsers } from "./use-users.ts";

/** What is decided about the users of a file. */
export interface Options {
  readonly organization: Choice | undefined;
  readonly keepsIds: boolean;
  readonly project: Choice | undefined;
  /** Identity providers here, by what the file calls them. */
  readonly providers: ReadonlyMap<string, string>;
  readonly emailDomain: string;
}

interface UserOptionsProps {
  readonly users: ReadUsers;
  readonly options: Options;
  readonly onChange: (options: Options) => void;
  /** Why IDs cannot be kept. */
  readonly idObstacle: string | undefined;
}

/** The fields of an import of users. Those are shown that the file needs. */
export function UserOptions({ users, options, onChange, idObstacle }: UserOptionsProps) {
  const id = useId();
  const { organization, keepsIds, project, providers, emailDomain } = options;
  const offered = useQuery(
    SettingsService.method.getActiveIdentityProviders,
    { ctx: { resourceOwner: { case: "orgId", value: organization?.id ?? "" } } },
    { enabled: organization !== undefined && users.providers.length > 0 },
  );
  return (
    <>
      <OrganizationPicker
        label={t("user.organization")}
        chosen={organization}
        onChoose={(next) => onChange({ ...options, organization: next, providers: new Map() })}
      />
      <div className="field check">
        <input
          id={id}
          type="checkbox"
          checked={keepsIds && idObstacle === undefined}
          disabled={idObstacle !== undefined}
          onChange={(event) => onChange({ ...options, keepsIds: event.target.checked })}
        />
        <label htmlFor={id}>{t("import.keepIds")}</label>
        <p className="hint">{idObstacle ?? t("import.keepIds.hint")}</p>
      </div>
      {users.providers.map((name) => (
        <label key={name} className="field">
          <span className="label">{t("import.provider", { name })}</span>
          <select
            value={providers.get(name) ?? ""}
            onChange={(event) => onChange({ ...options, providers: withProvider(providers, name, event.target.value) })}
          >
            <option value="">{t("import.none")}</option>
            {offered.data?.identityProviders.map((provider) => (
              <option key={provider.id} value={provider.id}>
                {provider.name}
              </option>
            ))}
          </select>
        </label>
      ))}
      {(users.hasRoles || project !== undefined) && (
        <ProjectPicker
          label={t("import.project")}
          hint={t("import.project.hint")}
          chosen={project}
          onChoose={(next) => onChange({ ...options, project: next })}
        />
      )}
      {users.lacksEmail && (
        <label className="field">
          <span className="label">{t("import.emailDomain")}</span>
          <input
            value={emailDomain}
            autoComplete="off"
            spellCheck={false}
            placeholder="users.example.com"
            onChange={(event) => onChange({ ...options, emailDomain: event.target.value })}
          />
          <span className="hint">{t("import.emailDomain.hint")}</span>
        </label>
      )}
    </>
  );
}

function withProvider(providers: ReadonlyMap<string, string>, name: string, id: string): ReadonlyMap<string, string> {
  const others = [...providers].filter(([other]) => other !== name);
  return new Map(id === "" ? others : [...others, [name, id]]);
}
