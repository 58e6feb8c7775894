/** What domains mean in an instance or an organization. */
export interface DomainSettings {
  /** Login names are `username@primarydomain`. */
  readonly loginNameIncludesDomain: boolean;
  /** Organizations have to prove that they own a domain before it counts. */
  readonly requireOrganizationDomainProof: boolean;
  readonly smtpSenderAddressMatchesInstanceDomain: boolean;
}

export const defaultDomainSettings: DomainSettings = {
  loginNameIncludesDomain: true,
  requireOrganizationDomainProof: false,
  smtpSenderAddressMatchesInstanceDomain: false,
};
