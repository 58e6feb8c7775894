import { createClient } from "@connectrpc/connect";
import { useMutation, useTransport } from "@connectrpc/connect-query";
import { AdministratorState } from "@doorward/api/service/internal_permission/v2/administrator_pb";
import { InternalPermissionService } from "@doorward/api/service/internal_permission/v2/internal_permission_service_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { useQuery } from "@tanstack/react-query";
import { useForm, useWatch } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { ChecksField } from "../../parts/checks-field.tsx";
import { useFinders } from "../../parts/finders.ts";
import { Form, SelectField } from "../../parts/form.tsx";
import { Page, Section } from "../../parts/page.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { PickerField } from "../../parts/picker-field.tsx";
import { tell } from "../../parts/toast.tsx";
import { usePermissions } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { useRoleChoices } from "./role-choices.ts";
import { type Level, levelName, levels, type Resource } from "./roles.ts";

/** Appoints a user as administrator of the instance, an organization, a project or a project grant. */
export function NewAdministratorPage() {
  const { search, params } = useAddress();
  const presets = usePresets(search);
  const level = levels.find((each) => each === search["level"]) ?? usualLevel(search);
  const parent =
    level === "organization" && search["resource"] !== undefined
      ? { to: `/organizations/${search["resource"]}/administrators`, label: presets?.resource?.name ?? "" }
      : { to: "/administrators", label: t("nav.administrators") };
  return (
    <Page title={t("administrator.add")} lead={t("administrator.addLead")} parent={parent}>
      <Section title={t("administrator.appointment")}>
        {presets === undefined ? (
          <span className="skeleton" />
        ) : (
          <AppointmentForm key={JSON.stringify(params)} level={level} {...presets} back={parent.to} />
        )}
      </Section>
    </Page>
  );
}

// What the pages are about: the whole instance, or one organization.
const usualLevel = ({ org, resource }: Readonly<Record<string, string | undefined>>): Level =>
  org === undefined && resource === undefined ? "instance" : "organization";

interface Presets {
  readonly user: Choice | undefined;
  readonly resource: Choice | undefined;
}

/** Reads the names of what the address begins the form with; undefined until they are known. */
function usePresets(search: Readonly<Record<string, string | undefined>>): Presets | undefined {
  const transport = useTransport();
  const { readUser } = useFinders();
  const { level, resource, grantedTo, user } = search;
  const found = useQuery({
    queryKey: ["presets", level, resource, grantedTo, user],
    queryFn: async (): Promise<Presets> => {
      const chosen = user === undefined ? undefined : await readUser(user);
      if (resource === undefined) return { user: chosen, resource: undefined };
      if (level === "organization") {
        const { result } = await createClient(OrganizationService, transport).listOrganizations({
          queries: [{ query: { case: "idQuery", value: { id: resource } } }],
        });
        return { user: chosen, resource: { id: resource, name: result[0]?.name ?? resource } };
      }
      const { projects } = await createClient(ProjectService, transport).listProjects({
        filters: [{ filter: { case: "inProjectIdsFilter", value: { ids: [resource] } } }],
      });
      const id = grantedTo === undefined ? resource : `${resource} ${grantedTo}`;
      return { user: chosen, resource: { id, name: projects[0]?.name ?? resource } };
    },
  });
  return found.isError ? { user: undefined, resource: undefined } : found.data;
}

interface Values {
  readonly level: Level;
  readonly organization: Choice | undefined;
  readonly project: Choice | undefined;
  readonly projectGrant: Choice | undefined;
  readonly user: Choice | undefined;
  readonly roles: readonly string[];
}

function AppointmentForm(props: Presets & { readonly level: Level; readonly back: string }) {
  const { go } = useAddress();
  const refresh = useRefresh();
  const { findUsers } = useFinders();
  const create = useMutation(InternalPermissionService.method.createAdministrator);
  const form = useForm<Values>({
    defaultValues: {
      level: props.level,
      organization: props.level === "organization" ? props.resource : undefined,
      project: props.level === "project" ? props.resource : undefined,
      projectGrant: props.level === "projectGrant" ? props.resource : undefined,
      user: props.user,
      roles: [],
    },
  });
  const level = useWatch({ control: form.control, name: "level" });
  const roles = useRoleChoices(level);
  return (
    <Form
      form={form}
      action={t("administrator.add")}
      readOnlyReason={useAppointmentObstacle()}
      onSave={async (values) => {
        const offered = new Set(roles?.map(({ id }) => id));
        const { state } = await create.mutateAsync({
          userId: values.user?.id ?? "",
          resource: { resource: resourceIn(values) },
          // A role that was ticked for another level does not belong to this one.
          roles: values.roles.filter((role) => offered.has(role)),
        });
        await refresh(InternalPermissionService);
        const name = values.user?.name ?? "";
        tell(t(state === AdministratorState.PENDING ? "administrator.wasOffered" : "administrator.added", { name }));
        setTimeout(() => go(props.back));
      }}
    >
      <SelectField
        name="level"
        label={t("administrator.level")}
        options={levels.map((each) => [each, levelName(each)])}
      />
      <ResourceField level={level} />
      <PickerField
        name="user"
        label={t("administrator.user")}
        hint={t("administrator.userHint")}
        isRequired
        queryKey="user"
        find={findUsers}
      />
      <ChecksField
        key={level}
        name="roles"
        label={t("administrator.roles")}
        choices={roles}
        isRequired
        hint={t("administrator.sessions")}
        empty={t("administrator.noRoles")}
      />
    </Form>
  );
}

/** The field that chooses what is administered; the instance needs none. */
function ResourceField({ level }: { readonly level: Level }) {
  const { findOrganizations, findProjects, findGrants } = useFinders();
  return (
    <>
      {level === "organization" && (
        <PickerField
          name="organization"
          label={t("organization.one")}
          isRequired
          queryKey="organization"
          find={findOrganizations}
        />
      )}
      {level === "project" && (
        <PickerField
          name="project"
          label={t("administrator.level.project")}
          isRequired
          queryKey="project"
          find={findProjects}
        />
      )}
      {level === "projectGrant" && (
        <PickerField
          name="projectGrant"
          label={t("administrator.level.projectGrant")}
          isRequired
          queryKey="project-grant"
          find={findGrants}
        />
      )}
    </>
  );
}

/** Administrators of a project alone have the permission for their project; its name ends with the id. */
function useAppointmentObstacle(): string | undefined {
  const permissions = usePermissions();
  if (permissions === undefined) return undefined;
  const isAble = [...permissions].some((permission) => /\.member\.write(:|$)/.test(permission));
  return isAble ? undefined : t("access.missing", { permission: "org.member.write" });
}

function resourceIn({ level, organization, project, projectGrant }: Values): Resource {
  switch (level) {
    case "organization":
      return { case: "organizationId", value: organization?.id ?? "" };
    case "project":
      return { case: "projectId", value: project?.id ?? "" };
    case "projectGrant": {
      const [projectId = "", organizationId = ""] = (projectGrant?.id ?? "").split(" ");
      return { case: "projectGrant", value: { projectId, organizationId } };
    }
    default:
      return { case: "instance", value: true };
  }
}
