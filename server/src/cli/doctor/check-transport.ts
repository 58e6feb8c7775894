import { isLoopbackAddress, isLoopbackHost } from "../../base/outbound/index.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { warning } = findingsOf("database");

/** Warns of a connection to a database on another machine that is not encrypted, or not to a server that is known. */
export function checkTransport(url: string): Finding[] {
  const parsed = URL.parse(url);
  const host = parsed?.searchParams.get("host") ?? parsed?.hostname ?? "";
  const isLocal = host === "" || host.startsWith("/") || isLoopbackHost(host) || isLoopbackAddress(host);
  const mode = parsed?.searchParams.get("sslmode");
  if (isLocal || mode === "verify-full" || mode === "verify-ca") return [];
  const message = `the connection to ${host} is not encrypted, or not to a server that is known`;
  return [
    warning(message, "DOORWARD_DATABASE_URL", "add ?sslmode=verify-full to it, unless the network between is your own"),
  ];
}
