import { seconds } from "../../base/clock.ts";
import type { Config } from "../../config/index.ts";
import { readJson, reasonOf } from "../api-client.ts";
import { type Finding, findingsOf } from "./finding.ts";

const setting = "DOORWARD_BASE_URL";
const { ok, warning, error } = findingsOf("base URL");

/** Checks that the public origin leads here, and that the server there uses the same origin. */
export async function checkBaseUrl({ baseUrl, mode }: Config, isRunning: boolean): Promise<Finding> {
  const address = `${baseUrl}/.well-known/openid-configuration`;
  let response: Response;
  try {
    response = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(seconds(5)) });
  } catch (failure) {
    return unreachable(baseUrl, reasonOf(failure), isRunning || mode === "start");
  }
  const { issuer } = await readJson(response);
  if (issuer === baseUrl) return ok(`${baseUrl} answers, and its issuer is the same`);
  if (typeof issuer === "string") {
    return error(
      `${baseUrl} answers, but its issuer is ${issuer}`,
      setting,
      "make both the same: clients compare them",
    );
  }
  return error(explainStatus(baseUrl, response), setting, fixOfStatus(response.status));
}

function unreachable(baseUrl: string, reason: string, isExpected: boolean): Finding {
  if (!isExpected) return ok(`${baseUrl} does not answer, because the server is not running`);
  const isCertificate = /certificate|self.signed|altname/i.test(reason);
  const fix = isCertificate
    ? "give the proxy a certificate for this name that clients trust"
    : "start the server, and check the name, the proxy and the firewall before it";
  return warning(`${baseUrl} does not answer from here (${reason})`, setting, fix);
}

const explainStatus = (baseUrl: string, { status, headers }: Response): string =>
  status >= 300 && status < 400
    ? `${baseUrl} redirects to ${headers.get("location") ?? "elsewhere"}`
    : `${baseUrl} answers discovery with ${status}`;

function fixOfStatus(status: number): string {
  if (status >= 300 && status < 400) return "use the address that it redirects to, or serve Doorward at this one";
  if (status === 404) return "let the proxy pass the Host header on unchanged, and every path";
  if (status >= 500) return "start the server behind the proxy, and check that the proxy reaches its port";
  return "check that this address leads to Doorward and to nothing else";
}
