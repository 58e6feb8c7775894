import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { type Choice, Picker } from "../../parts/picker.tsx";

interface ProjectPickerProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly chosen: Choice | undefined;
  readonly onChoose: (choice: Choice | undefined) => void;
}

const limit = 10;

/** Chooses a project by its name, among those that are owned and not only granted. */
export function ProjectPicker({ hint, ...props }: ProjectPickerProps) {
  const client = createClient(ProjectService, useTransport());
  const find = async (text: string): Promise<readonly Choice[]> => {
    const value = { projectName: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
    const filters = text === "" ? [] : [{ filter: { case: "projectNameFilter", value } } as const];
    const { projects } = await client.listProjects({ pagination: { limit, asc: true }, filters });
    return projects
      .filter(({ grantedOrganizationId }) => !grantedOrganizationId)
      .map(({ projectId, name }) => ({ id: projectId, name, detail: projectId }));
  };
  return <Picker {...props} {...(hint !== undefined && { hint })} queryKey="project" find={find} />;
}
