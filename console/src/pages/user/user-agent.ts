import type { UserAgent } from "@doorward/api/service/session/v2/session_pb";
import { t } from "../../text/catalogue.ts";

const browsers = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;

const systems = [
  [/\biPhone|\biPad/, "iOS"],
  [/\bAndroid/, "Android"],
  [/\bWindows/, "Windows"],
  [/\bMac OS X/, "macOS"],
  [/\bCrOS/, "ChromeOS"],
  [/\bLinux/, "Linux"],
] as const;

/** Returns what a session's browser or device is called: its description, or what its header says. */
export function describeAgent(agent: UserAgent | undefined): string {
  const header = agent?.header["user-agent"]?.values[0] ?? agent?.header["User-Agent"]?.values[0];
  const told = agent?.description || header || "";
  if (told === "") return t("user.sessions.unknownDevice");
  const browser = browsers.find(([pattern]) => pattern.test(told))?.[1];
  const system = systems.find(([pattern]) => pattern.test(told))?.[1];
  if (browser === undefined) return told.length > 80 ? `${told.slice(0, 80)}…` : told;
  return system === undefined ? browser : t("user.sessions.deviceOn", { browser, system });
}
