import { spawn } from "node:child_process";
import process from "node:process";
import { readEnvironment } from "../../config/index.ts";

/** Asks the system to open an address. The outcome is unknown, so the address has to be printed as well. */
export function openBrowser(address: string): void {
  const opener = findOpener();
  if (opener === undefined) return;
  const [program, ...parameters] = opener;
  const child = spawn(program, [...parameters, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

// Never through a shell: the address contains `&`.
function findOpener(): readonly [string, ...string[]] | undefined {
  const environment = readEnvironment();
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  const hasDisplay = Boolean(environment["DISPLAY"] ?? environment["WAYLAND_DISPLAY"]);
  return hasDisplay ? ["xdg-open"] : undefined;
}
