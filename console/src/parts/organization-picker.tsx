import { useTransport } from "@connectrpc/connect-query";
import { useMemo } from "react";
import { organizationFinders } from "./organization-finders.ts";
import { type Choice, Picker } from "./picker.tsx";

/** Properties of all pickers of a single object. */
export interface ThingPickerProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly chosen: Choice | undefined;
  readonly onChoose: (choice: Choice | undefined) => void;
}

/** Chooses an organization by its name. */
export function OrganizationPicker({ hint, ...props }: ThingPickerProps) {
  const transport = useTransport();
  const { findOrganizations } = useMemo(() => organizationFinders(transport), [transport]);
  return <Picker {...props} {...(hint !== undefined && { hint })} queryKey="organization" find={findOrganizations} />;
}
