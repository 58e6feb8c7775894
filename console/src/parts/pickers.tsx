import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { TextQueryMethod } from "@doorward/api/service/object/v2/query_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { type Choice, Picker } from "./picker.tsx";

interface ThingPickerProps {
  readonly label: string;
  readonly chosen: Choice | undefined;
  readonly onChoose: (choice: Choice | undefined) => void;
}

const limit = 10;

/** Chooses an organization by its name. */
export function OrganizationPicker(props: ThingPickerProps) {
  const client = createClient(OrganizationService, useTransport());
  const find = async (text: string): Promise<readonly Choice[]> => {
    const query = { case: "nameQuery", value: { name: text, method: TextQueryMethod.CONTAINS_IGNORE_CASE } } as const;
    const { result } = await client.listOrganizations({ query: { limit }, queries: text === "" ? [] : [{ query }] });
    return result.map(({ id, name, primaryDomain }) => ({ id, name, detail: primaryDomain }));
  };
  return <Picker {...props} queryKey="organization" find={find} />;
}

/** Chooses a user by the beginning of their display name or login name. */
export function UserPicker(props: ThingPickerProps) {
  const client = createClient(UserService, useTransport());
  const find = async (text: string): Promise<readonly Choice[]> => {
    const method = TextQueryMethod.STARTS_WITH_IGNORE_CASE;
    const queries = [
      { query: { case: "displayNameQuery", value: { displayName: text, method } } } as const,
      { query: { case: "loginNameQuery", value: { loginName: text, method } } } as const,
    ];
    const either = { query: { case: "orQuery", value: { queries } } } as const;
    const { result } = await client.listUsers({ query: { limit }, queries: text === "" ? [] : [either] });
    return result.map(({ userId, type, preferredLoginName }) => ({
      id: userId,
      name: (type.case === "human" ? type.value.profile?.displayName : type.value?.name) ?? preferredLoginName,
      detail: preferredLoginName,
    }));
  };
  return <Picker {...props} queryKey="user" find={find} />;
}
