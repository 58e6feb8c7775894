import { useFinders } from "./finders.ts";
import type { ThingPickerProps } from "./organization-picker.tsx";
import { Picker } from "./picker.tsx";

/** Chooses a user by the beginning of their names or address, or by their id. */
export const UserPicker = ({ hint, ...props }: ThingPickerProps) => (
  <Picker {...props} {...(hint !== undefined && { hint })} queryKey="user" find={useFinders().findUsers} />
);

/** Chooses a project by its name, among those that are owned and not only granted. */
export const ProjectPicker = ({ hint, ...props }: ThingPickerProps) => (
  <Picker {...props} {...(hint !== undefined && { hint })} queryKey="project" find={useFinders().findProjects} />
);
