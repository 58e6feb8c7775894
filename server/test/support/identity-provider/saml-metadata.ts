import { bindings, namespaces, samlProtocol } from "../../../src/base/saml/index.ts";

// Certificates without use elsewhere: only metadata names them, and their keys were not kept.
const certificates = [
  "MIIDtDCCAhygAwIBAgIQVFQO0cDTmt7pcuay3/H1GTANBgkqhkiG9w0BAQsFADAWMRQwEgYDVQQDDAtpZHAuZXhhbXBsZTAeFw0y" +
    "NjAxMDEwMDAwMDBaFw00NjAxMDEwMDAwMDBaMBYxFDASBgNVBAMMC2lkcC5leGFtcGxlMIIBojANBgkqhkiG9w0BAQEFAAOCAY8A" +
    "MIIBigKCAYEAtP64xzPI/JPolu7esUEMnDj8PDLYTmkanIJTVr8xX8q0JzSrRdtpVeWmhVIRNUnyAlip6idHOc92aYMy8qDqD/To" +
    "6LJ+HSpPi26v4WsjnLNp1VHNqJCUezRhksSw1YpdSN7kEJLqmBCOr+MFniJqwipsVwf3ZttmCXN10E4K67icaY71GryTajnguaZZ" +
    "TT+AWD3aPn/fuGBqVvr07P+h36FOuHcMjr7JE7UYb/Y7Q7pWbwji/kzq/najHpD3IhBa7D3jdq2nuQ8pd12TjUGD53rQR0/GfQ2o" +
    "HquAI3qM9IauzZqKTEZtXrr0XBB1bI1/4Xo+35WMDfvDDcVLtVyd/Rl2aRqp9lfbs+wpt98rE62faOSRCfzpJZ3/rc/op/3UVuun" +
    "D+mpCCZ0AatnvNe5BLX3v/EpT3BayvfLjZ5s3kJIv9if9ijtUzY89p1kcwcRxQKKDNNnC7eTeUvGaaNm2Q3CfUAWRHXwz/0qqPqd" +
    "GSLrLNlc3xUG+1hgI6/dwjYRAgMBAAEwDQYJKoZIhvcNAQELBQADggGBAHpHCzlgkNfKxJx0VEFLa5s1OGpkRNvetbZRKHgOQUWb" +
    "/x2v7WPffup3QIoejwm5V0L+qj/4tu2SF01celZI/hPheIj9i58vKki5XW63nfw1y71y7Ui+GHfca5JD8O+UF+tiZgqcIOzU7UTL" +
    "qi6Zrb41wm7XKWipXecXiLUUMXkH65eI5OEcrvfN2+qxNa2iOSJknUebNkC+BuJ3zAOAb8njhsEs57D7Y6D3sPWJ16p1WF+iWc+9" +
    "srWmGgunYqtJvyAJYY3Xj1mB7Cjg+WZ4FEOjj49Jla1/XL9kWgbF7/qgFLyE6GVHUZkxcxchh94OJSk148OxdHFrIuFPjsZWnU+r" +
    "RYY2mTikpAT9hgoZXPvehgb4x2KEFxnHKiBawarFNH29Bd32v1/28nXt0NeKEWcgtYozplyXyP8Ck5AouyImNIU43yrnMogGu0qs" +
    "Iy6B69Xa/sYzM78WUeJFoyGv1kTWJMAlwUYTbYcnAO5Pu9JfchxFlHSJEX3C5iB88lhG8Q==",
  "MIIDtDCCAhygAwIBAgIQY7GKUkzqThUWNsCwDkX2WTANBgkqhkiG9w0BAQsFADAWMRQwEgYDVQQDDAtpZHAuZXhhbXBsZTAeFw0y" +
    "NjAxMDEwMDAwMDBaFw00NjAxMDEwMDAwMDBaMBYxFDASBgNVBAMMC2lkcC5leGFtcGxlMIIBojANBgkqhkiG9w0BAQEFAAOCAY8A" +
    "MIIBigKCAYEAzB9QgJo88DYMWe3rAb7QSOdKVY014C+6wqfPOyn7z9y5jUu5QjHmQPF7VvGC6SiD6rSmjmVbvu9VxYUqB20SaZXA" +
    "GE7xVqEmV1uQ2zChfo87FPa1s9wAr+tVPhIs5FJsQBswa9qv4BMuCAtkXnwo6/EVk7p9TQfU0tSc8fNpLl7Pusg8jqPa2O+6zqf7" +
    "YyVOvmFmT4rlwAVJ3Iuh8ZONUL+MoaT1rNBDj51v/dsDze1SA7Qs8YMIMIGeU+59ekQvf419nbQwiX4pv5eWxLtU5WhcAT7WLzO0" +
    "yrMBU0gwQLuHtjI67vGrnjrONVOQ93iCo9qwSz3AF+n1Z4sc6X4cRPtBcI52SrFflOQWaFYAkzCMBAsGQqqU+IEHOXE2Bn2W6OvR" +
    "46OoLHjqikZqPCR71GuQOceydCJ6lrKjCX08euo3j1A5ysCKCBRR2ZKsf8j47kfurNAElWRgtpvsV+/mGA/6IKQxbWDosfMLfzJg" +
    "5YAuRBiGhvdmGoDBJJYAY5BFAgMBAAEwDQYJKoZIhvcNAQELBQADggGBAC11cZAp7cXRiFj+da67TRh/4NWOyWDZGhlULE45Nf0w" +
    "UIHQj0YzVjbA6aw7czDemIWntZtnsNbgQB8KufMelBA0XRbWxDBKMuEHrvM+MiEdC8iiRLcGapV0gto+WFHZCG6QXhn9Pv6vNNRA" +
    "3c4TFVyM4MNwjHUx6WT137fbyPnqxbEyjXm8E08zBk5Xa3jTmL4e/otbx1MeimFY8NF0ObrVf5N2ifLLe11GwnCQ0Z8vVh7zQsp2" +
    "tbUvH72E95Pz1xdyhThUwlZcj5ye/sHnIHGn1Rkl4xBG8UpYBWmkV5sVeMqwfjtRP+/T63Y904sYS1HXBGaKfoVK/hJZy4blmFKB" +
    "sLwINe/6L1yidq+6yqP6me2mJcJuZFTVrrEAbv+VKM4i4tPkqq1dfIrfRbamlui1mAyDe+SpXfRReW2K90S1VE9vPKiQFB0Xpv6z" +
    "Y4qdN80GaSyj1rCsTWKMLrjh+sUKELKtmermDpMPVxCrubWdlD08fozbeudz41gehvrNkQ==",
] as const;

export interface MetadataOf {
  readonly entityId?: string;
  readonly certificates?: readonly string[];
  readonly location?: string;
  readonly logout?: string | undefined;
  /** Which of the two certificates without a key it has, when none are given. */
  readonly certificate?: 0 | 1;
  readonly attributes?: string;
}

/** Writes the metadata of a SAML identity provider. */
export function samlMetadata({
  entityId = "https://saml.example/metadata",
  location = "https://saml.example/sso",
  logout,
  certificate = 0,
  certificates: given = [certificates[certificate]],
  attributes = "",
}: MetadataOf = {}): string {
  const keys = given.map(
    (each) =>
      `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${each}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  );
  const endpoint = (name: string, binding: string, at: string) => `<md:${name} Binding="${binding}" Location="${at}"/>`;
  const both = (name: string, at: string) => endpoint(name, bindings.redirect, at) + endpoint(name, bindings.post, at);
  return `<?xml version="1.0"?>
<!-- written by people -->
<md:EntityDescriptor xmlns:md="${namespaces.md}" xmlns:ds="${namespaces.ds}" entityID="${entityId}">
<md:IDPSSODescriptor protocolSupportEnumeration="${samlProtocol}" ${attributes}>${keys.join("")}${logout === undefined ? "" : both("SingleLogoutService", logout)}${both("SingleSignOnService", location)}</md:IDPSSODescriptor>
</md:EntityDescriptor>`;
}

/** The same as a request has it. */
export const metadataXml = (given: MetadataOf = {}): string => Buffer.from(samlMetadata(given)).toString("base64");
