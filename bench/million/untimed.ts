/** Methods that the console reads by and that have little to read in any instance, by the reason. */
export const untimed: Readonly<Record<string, RegExp>> = {
  "settings and texts: one row, or one for each language":
    /\/(?:Get\w*(?:Settings|Policy|MessageText|Restrictions|Features|Languages?)|ListPageTexts|ListLoginPolicyIDPs)$/,
  "constants of the program":
    /\/List(?:\w*MemberRoles|EventTypes|AggregateTypes|Views|Flow\w*Types|Execution\w+|MyServicePermissions|SecretGenerators)$/,
  "what an instance or organization has a few of":
    /\/(?:List(?:Targets|PublicKeys|Executions|\w*Providers|SAMLKeys|WebKeys|Actions|FailedEvents|Resources)|Get(?:Target|Action|Flow|IDPByID|ProviderByID|ActiveIdentityProviders))$/,
  "what a user has a few of":
    /UserService\/List(?:Passkeys|IDPLinks|Keys|PersonalAccessTokens|AuthenticationMethodTypes|AuthenticationFactors)$/,
  "what a user saved, fifty at most": /\/ListSavedViews$/,
  "the rights of one user": /\/(?:ExplainPermission|GetMyUser)$/,
  "the console asks another service, whose method has the same name":
    /ManagementService\/(?:GetUserByID|List(?:Users|UserMetadata|PersonalAccessTokens|Projects|ProjectRoles|ProjectGrants))$/,
};
