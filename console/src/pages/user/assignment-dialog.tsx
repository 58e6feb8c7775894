import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import type { Authorization } from "@doorward/api/service/authorization/v2/authorization_pb";
import { AuthorizationService } from "@doorward/api/service/authorization/v2/authorization_service_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { useForm, useWatch } from "react-hook-form";
import { useRefresh } from "../../api/refresh.ts";
import { ChecksField } from "../../parts/checks-field.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { type ProjectChoice, useFinders } from "../../parts/finders.ts";
import { Form } from "../../parts/form.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { PickerField } from "../../parts/picker-field.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

/** Of whom the role assignments are. */
export type Assignee =
  | { readonly userId: string; readonly organizationId: string }
  | { readonly groupId: string; readonly organizationId: string };

interface AssignmentDialogProps {
  readonly assignee: Assignee;
  /** The assignment to change; a new one when left out. */
  readonly assignment?: Authorization;
  readonly onClose: () => void;
}

interface Values {
  readonly project: ProjectChoice | undefined;
  readonly roles: readonly string[];
}

/** Gives a user or group roles of a project, or changes which they have. */
export function AssignmentDialog({ assignee, assignment, onClose }: AssignmentDialogProps) {
  const client = createClient(AuthorizationService, useTransport());
  const refresh = useRefresh();
  const find = useFinders().findProjectsOf(useOrganizationId());
  const form = useForm<Values>({
    defaultValues: {
      project: assignment && projectOf(assignment),
      roles: assignment?.roles.map(({ key }) => key) ?? [],
    },
  });
  const project = useWatch({ control: form.control, name: "project" });
  const save = async ({ project, roles }: Values) => {
    if (assignment !== undefined) {
      await client.updateAuthorization({ id: assignment.id, roleKeys: [...roles] });
    } else {
      await client.createAuthorization({
        ...("groupId" in assignee ? { groupId: assignee.groupId } : { userId: assignee.userId }),
        projectId: project?.projectId ?? "",
        organizationId: project?.organizationId ?? "",
        roleKeys: [...roles],
      });
    }
    await refresh(AuthorizationService);
    onClose();
  };
  const title = assignment
    ? t("user.roles.changeTitle", { project: assignment.project?.name ?? "" })
    : t("user.roles.add");
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        form={form}
        onSave={save}
        action={assignment ? t("user.roles.change") : t("user.roles.assign")}
        done={t("user.roles.saved")}
      >
        {assignment === undefined && (
          <PickerField
            name="project"
            label={t("user.roles.project")}
            hint={t("user.roles.projectHint")}
            queryKey="project"
            find={find}
            isRequired
          />
        )}
        {project !== undefined && <RolesField key={project.id} project={project} />}
      </Form>
    </Dialog>
  );
}

const projectOf = ({ project, organization }: Authorization): ProjectChoice => ({
  id: project?.id ?? "",
  name: project?.name ?? "",
  projectId: project?.id ?? "",
  organizationId: organization?.id ?? "",
  isGrant: project?.organizationId !== organization?.id,
});

// Projects have few roles; one that has more than a page is rare, and its further roles are reached by the API.
const most = 200;

function RolesField({ project: { projectId, organizationId, isGrant } }: { readonly project: ProjectChoice }) {
  const roles = useQuery(ProjectService.method.listProjectRoles, { projectId, pagination: { limit: most, asc: true } });
  const grants = useQuery(
    ProjectService.method.listProjectGrants,
    {
      pagination: { limit: 1 },
      filters: [
        { filter: { case: "inProjectIdsFilter", value: { ids: [projectId] } } },
        { filter: { case: "grantedOrganizationIdFilter", value: { id: organizationId } } },
      ],
    },
    { enabled: isGrant },
  );
  // The organization can only give on what was granted to it.
  const granted = isGrant ? grants.data?.projectGrants[0]?.grantedRoleKeys : undefined;
  const isKnown = roles.data !== undefined && (!isGrant || granted !== undefined);
  const choices = roles.data?.projectRoles
    .filter(({ key }) => granted === undefined || granted.includes(key))
    .map(
      ({ key, displayName }): Choice => ({
        id: key,
        name: displayName || key,
        ...(displayName !== key && displayName !== "" && { detail: key }),
      }),
    );
  return (
    <ChecksField
      name="roles"
      label={t("user.roles.roles")}
      choices={isKnown ? choices : undefined}
      empty={t("user.roles.projectEmpty")}
      isRequired
    />
  );
}
