import { parseHost } from "../names/host.ts";

/** Where an SMTP server listens. */
export interface MailHost {
  /** Name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/**
 * Parses `mail.example.com:587`, `10.0.0.5:25`, `[::1]:1025`. Returns undefined for any text that is not a host with a
 * port.
 */
export function parseMailHost(text: string): MailHost | undefined {
  const [, name = "", digits = ""] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const host = parseHost(name);
  const port = Number(digits);
  // A name with a port of its own, and an IPv6 address without brackets, would be read as another host.
  if (host === undefined || port < 1 || port > 65_535 || /:/.test(name.replace(/^\[[^\]]*\]$/, ""))) return undefined;
  return { host: host.replace(/^\[|\]$/g, ""), port };
}
