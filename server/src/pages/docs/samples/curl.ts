import type { SampleCall } from "./sample-call.ts";

/** Returns a call as a shell command. */
export function toCurl({ verb, url, headers, json, form, isByClient }: SampleCall): string {
  const all = { ...headers, ...(json !== undefined && { "content-type": "application/json" }) };
  const isUsual = verb === "GET" || (verb === "POST" && form !== undefined);
  const lines = [
    `curl ${isUsual ? "" : `--request ${verb} `}"${url}"`,
    ...(isByClient ? ['--user "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...Object.entries(all).map(([name, value]) => `--header "${name}: ${value}"`),
    ...(json === undefined ? [] : [`--data '${JSON.stringify(json, undefined, 2).replaceAll("'", "'\\''")}'`]),
    ...(form ?? []).map(([name, value]) => `--data-urlencode "${name}=${value}"`),
  ];
  return lines.join(" \\\n  ");
}
