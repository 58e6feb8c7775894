/**
 * Why a directory gave no usable answer: all that is reported. Before it has answered as a directory, everything that
 * depends on a network is "unreachable": whether a port is closed, silent or of something else would describe networks
 * to which those who configure directories have no access.
 */
export type LdapFailure =
  /** The rules for outbound connections, the network, or a server that closes the connection. */
  | "unreachable"
  /** The handshake failed, the certificate is not trusted, or the server does not offer StartTLS. */
  | "tls_failed"
  /** Credentials are not sent over the internet without TLS. */
  | "unencrypted"
  | "timed_out"
  /** Too many connections of the same payer are open. */
  | "overloaded"
  /** It answered with something that is not LDAP, or with more than was asked for. */
  | "protocol_error";

/** Thrown for a directory without a usable answer. Contains nothing that the other side sent. */
export class LdapError extends Error {
  override readonly name = "LdapError";
  readonly failure: LdapFailure;

  constructor(failure: LdapFailure, options: { readonly cause?: unknown } = {}) {
    super(`ldap: ${failure}`, options);
    this.failure = failure;
  }
}
