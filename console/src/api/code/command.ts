import type { ApiCall } from "../call.ts";
import { requestJson } from "./plain.ts";

const commands: Readonly<Record<string, (request: Readonly<Record<string, unknown>>) => string>> = {
  "ApplicationService/ListApplications": () => "app list --json",
  "ApplicationService/GetApplication": () => "app list --json",
  "ApplicationService/CreateApplication": ({ name, projectId }) =>
    `app create ${quote(name ?? "<name>")}${projectId === undefined ? "" : ` --project ${quote(projectId)}`}`,
  "ApplicationService/UpdateApplication": ({ applicationId, name }) =>
    `app update ${quote(applicationId ?? "<id>")}${name === undefined ? "" : ` --name ${quote(name)}`}`,
};

/** Returns the command that does the same as a call; undefined where there is none. */
export function toCommand(call: ApiCall, origin: string): string | undefined {
  const { method } = call;
  const command = commands[`${method.parent.name}/${method.name}`];
  return command && `doorward ${command(requestJson(call))} --server ${quote(origin)}`;
}

const quote = (value: unknown): string => {
  const text = String(value);
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
};
