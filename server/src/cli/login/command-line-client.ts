import { isLoopbackHost } from "../../base/outbound/index.ts";
import { reach, readJson } from "../api-client.ts";
import { recordOf, textOf } from "../app/api-record.ts";
import { CommandError } from "../command-error.ts";

/** How a server lets the command line sign in. */
export interface CommandLineClient {
  readonly issuer: string;
  readonly clientId: string;
  /** Whether a device without a browser may sign in. */
  readonly hasDevices: boolean;
}

/** Asks a server how its command line signs in. */
export async function findCommandLineClient(server: string): Promise<CommandLineClient> {
  const issuer = toSafeOrigin(server);
  const response = await reach(`${issuer}/.well-known/doorward`);
  const document = await readJson(response);
  const offered = recordOf(document["command_line"]);
  const clientId = textOf(offered, "client_id");
  if (!response.ok || clientId === "") {
    throw new CommandError(`${issuer} lets no command line sign in (HTTP ${response.status})`, {
      fix: "check the address, and DOORWARD_COMMAND_LINE of the server. Without it, use a personal access token: DOORWARD_TOKEN",
    });
  }
  const said = textOf(document, "issuer");
  if (said !== issuer) throw new CommandError(`${issuer} calls itself ${said}`, { fix: `run: doorward login ${said}` });
  return { issuer, clientId, hasDevices: offered["device_authorization"] === true };
}

/** Returns the origin of an address to which secrets may be sent: with TLS, or on this machine. */
function toSafeOrigin(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname))) return url.origin;
  throw new CommandError(`${text} is not an address to sign in at`, {
    fix: "use https and the host, for example https://id.example.com",
  });
}
