import type { DescMessage, DescMethodUnary, MessageShape } from "@bufbuild/protobuf";
import { createQueryOptions, useTransport } from "@connectrpc/connect-query";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import { useQueryClient } from "@tanstack/react-query";
import type { Choice } from "../../../parts/picker.tsx";
import { functionText, methodName, serviceName } from "./condition.ts";

const most = 10;

/**
 * Returns how what a condition can name is found: among the methods, services, functions and events of the server, of
 * which there are a few hundred, read once.
 */
export function useFindSubjects(): (kind: string, text: string) => Promise<readonly Choice[]> {
  const queries = useQueryClient();
  const transport = useTransport();
  const read = <Input extends DescMessage, Output extends DescMessage>(
    method: DescMethodUnary<Input, Output>,
  ): Promise<MessageShape<Output>> =>
    queries.fetchQuery({
      ...(createQueryOptions(method, {} as never, { transport }) as object),
      staleTime: 600_000,
    } as never);
  const list = async (kind: string): Promise<readonly Choice[]> => {
    if (kind === "service") {
      const { services } = await read(ActionService.method.listExecutionServices);
      return services.map((id) => ({ id, name: serviceName(id), detail: id }));
    }
    if (kind === "function") {
      const { functions } = await read(ActionService.method.listExecutionFunctions);
      return functions.map((id) => ({ id, name: functionText(id), detail: id }));
    }
    if (kind === "method") {
      const { methods } = await read(ActionService.method.listExecutionMethods);
      return methods.map((id) => ({ id, name: methodName(id), detail: id }));
    }
    const { AdminService } = await import("@doorward/api/service/admin/v1/admin_service_pb");
    const { eventTypes } = await read(AdminService.method.listEventTypes);
    if (kind === "group") return groupsOf(eventTypes.map(({ type }) => type));
    return eventTypes.map(({ type, localized }) => ({
      id: type,
      name: type,
      detail: localized?.localizedMessage ?? "",
    }));
  };
  return async (kind, text) => {
    const wanted = text.toLowerCase();
    const choices = await list(kind);
    return choices.filter(({ name, detail = "" }) => `${name} ${detail}`.toLowerCase().includes(wanted)).slice(0, most);
  };
}

/** A group is the beginning of the names of several events, up to a dot. */
function groupsOf(types: readonly string[]): readonly Choice[] {
  const counts = new Map<string, number>();
  for (const type of types) {
    const parts = type.split(".");
    for (let length = 1; length < parts.length; length += 1) {
      const group = parts.slice(0, length).join(".");
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
  }
  return [...counts].filter(([, count]) => count > 1).map(([id, count]) => ({ id, name: id, detail: `${count}` }));
}
