/** What domains mean in an instance or an organization. */
export interface DomainSettings {
  /** Login names are `username@primarydomain`. */
  readonly loginNameIncludesDomain: boolean;
  /**
   * Organizations have to prove that they own a domain before it counts. Where they need not, a claimed domain counts
   * inside of its organization alone.
   */
  readonly requireOrganizationDomainProof: boolean;
  readonly smtpSenderAddressMatchesInstanceDomain: boolean;
}

export const defaultDomainSettings: DomainSettings = {
  loginNameIncludesDomain: true,
  requireOrganizationDomainProof: true,
  smtpSenderAddressMatchesInstanceDomain: false,
};
