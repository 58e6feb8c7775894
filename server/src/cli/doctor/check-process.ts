import process from "node:process";
import { findUnknownVariables, type Setting, settingNames, settings } from "../../config/index.ts";
import { type Finding, findingsOf } from "./finding.ts";

const oldestNode = 24;

/** Checks the process itself: Node, and the user that runs it. */
export function checkProcess(mode: "dev" | "start"): Finding[] {
  const { node } = process.versions;
  const runtime = findingsOf("node");
  const isOld = Number(node.split(".", 1)[0]) < oldestNode;
  const version = isOld
    ? runtime.error(
        `Node.js ${node} is too old`,
        "Node.js",
        `install Node.js ${oldestNode} or newer; on Linux, npm ci brings one`,
      )
    : runtime.ok(`Node.js ${node}`);
  const isRoot = mode === "start" && process.getuid?.() === 0;
  if (!isRoot) return [version];
  const fix = "run it as a user of its own, who owns nothing but the data directory";
  return [version, findingsOf("user").warning("Doorward runs as root", "the user of the service", fix)];
}

/** Finds variables without effect: misspelled, or hidden by another one. */
export function checkVariables(environment: Readonly<Record<string, string | undefined>>): Finding[] {
  const { warning } = findingsOf("environment");
  const unknown = findUnknownVariables(environment).map((name) =>
    warning(`${name} is set but is not a setting`, name, "doorward config show lists the settings"),
  );
  const hidden = settingNames.flatMap((name) => {
    const { environment: variable, isSecret }: Setting = settings[name];
    const file = `${variable}_FILE`;
    if (isSecret !== true || !environment[variable] || !environment[file]) return [];
    return warning(
      `${file} does nothing, because ${variable} is set too`,
      file,
      `set only one of ${variable} and ${file}`,
    );
  });
  return [...unknown, ...hidden];
}
