import type { Finding } from "./source.ts";
import type { TreeRule } from "./tree.ts";

// Put together here, so that this file does not break its own rule.
const machinePaths = ["/work/", "/tmp/wt/", "/tmp/brief", "/tmp/land", "../shared/", "/home/", "/Users/"];
const toolNames = ["cl-aude", "anth-ropic", "chat-gpt", "co-pilot", "cur-sor.sh"].map((name) => name.replace("-", ""));
const registryHosts = [
  "registry.npm-js.org",
  "deb.deb-ian.org",
  "py-pi.org",
  "proxy.go-lang.org",
  "buf-.build/gen",
].map((host) => host.replace("-", ""));

const ownText = "tools/conventions/names.ts";

/** No committed file names a path of a developer's machine, a tool that helped to write it, or a registry's host. */
export const namesRule: TreeRule = (tree) => {
  const findings: Finding[] = [];
  for (const [path, text] of tree) {
    if (path === ownText) continue;
    text.split("\n").forEach((content, index) => {
      const lower = content.toLowerCase();
      const found =
        machinePaths.find((name) => isPath(content, name)) ??
        [...toolNames, ...registryHosts].find((name) => lower.includes(name));
      if (found !== undefined) findings.push({ rule: "names", path, line: index + 1, message: `names ${found}` });
    });
  }
  return findings;
};

// `/work/` stands at the beginning of a path, not inside of one (`https://example.com/work/`, `docs/work/`).
function isPath(line: string, prefix: string): boolean {
  for (let at = line.indexOf(prefix); at !== -1; at = line.indexOf(prefix, at + 1)) {
    if (!/[\w.)}-]/.test(line[at - 1] ?? " ")) return true;
  }
  return false;
}
