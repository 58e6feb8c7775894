import { useFinders } from "./finders.ts";
import { type Choice, Picker } from "./picker.tsx";

interface ThingPickerProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly chosen: Choice | undefined;
  readonly onChoose: (choice: Choice | undefined) => void;
}

/** Chooses an organization by its name. */
export const OrganizationPicker = ({ hint, ...props }: ThingPickerProps) => (
  <Picker
    {...props}
    {...(hint !== undefined && { hint })}
    queryKey="organization"
    find={useFinders().findOrganizations}
  />
);

/** Chooses a user by the beginning of their names or address, or by their id. */
export const UserPicker = ({ hint, ...props }: ThingPickerProps) => (
  <Picker {...props} {...(hint !== undefined && { hint })} queryKey="user" find={useFinders().findUsers} />
);

/** Chooses a project by its name, among those that are owned and not only granted. */
export const ProjectPicker = ({ hint, ...props }: ThingPickerProps) => (
  <Picker {...props} {...(hint !== undefined && { hint })} queryKey="project" find={useFinders().findProjects} />
);
