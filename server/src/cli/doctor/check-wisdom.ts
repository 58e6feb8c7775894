import { availableParallelism } from "node:os";
import type { Config } from "../../config/index.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** Warns of settings that are valid but unwise: proxies, outbound requests, processes. */
export function checkWisdom(config: Config): Finding[] {
  return [...checkProxies(config), ...checkOutbound(config), ...checkWorkers(config)];
}

function checkProxies({ baseUrl, trustedProxies, mode }: Config): Finding[] {
  const { ok, warning, error } = findingsOf("proxies");
  const setting = "DOORWARD_TRUSTED_PROXIES";
  const open = trustedProxies.filter(isNearlyEveryAddress);
  if (open.length > 0) {
    const fix = "name the networks of your proxies alone: from anywhere else the header is written by strangers";
    return [error(`${open.join(", ")} lets nearly every client say what its address is`, setting, fix)];
  }
  // Doorward does not serve TLS, so an https origin means that there is a proxy in front.
  if (baseUrl.startsWith("https:") && trustedProxies.length === 0) {
    const fix = "name the network of the proxy that ends TLS, or all visitors share its address and its limits";
    return [warning("there is a proxy in front of Doorward, and its X-Forwarded-For is ignored", setting, fix)];
  }
  if (trustedProxies.length > 0) return [ok(`forwarded addresses count from ${trustedProxies.join(", ")}`)];
  return mode === "dev" ? [] : [ok("none, and none is needed")];
}

function checkOutbound({ outboundAllow, mode }: Config): Finding[] {
  const open = outboundAllow.filter(isNearlyEveryAddress);
  if (open.length === 0 || mode === "dev") return [];
  const fix = "name the few hosts and networks that webhooks and providers need";
  const message = `${open.join(", ")} opens inner networks to every user who may configure a webhook`;
  return [findingsOf("outbound").warning(message, "DOORWARD_OUTBOUND_ALLOW", fix)];
}

function checkWorkers({ workers }: Config): Finding[] {
  const cores = availableParallelism();
  if (workers <= cores) return [];
  const message = `${workers} processes share ${cores} ${cores === 1 ? "core" : "cores"}`;
  return [findingsOf("workers").warning(message, "DOORWARD_WORKERS", `use at most ${cores}`)];
}

// Whether the prefix is shorter than that of the largest private network.
function isNearlyEveryAddress(network: string): boolean {
  const [address = "", prefix] = network.split("/");
  return prefix !== undefined && Number(prefix) < (address.includes(":") ? 7 : 8);
}
