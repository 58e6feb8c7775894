/**
 * Returns a login name as users are shown it. Behind an address the domain of the organization tells them nothing:
 * `eva@acme.test@login.example` is shown, and accepted at sign-in, as `eva@acme.test`. A username has at most one `@`.
 */
export function shownLoginName(loginName: string): string {
  const [local = "", domain, suffix] = loginName.split("@");
  return domain === undefined || suffix === undefined ? loginName : `${local}@${domain}`;
}

/** Marks the accounts of a list that would be shown alike, so that their whole login names tell them apart. */
export function markAmbiguous<Account extends { readonly loginName: string }>(
  accounts: readonly Account[],
): (Account & { readonly isAmbiguous: boolean })[] {
  const groups = Map.groupBy(accounts, ({ loginName }) => shownLoginName(loginName));
  return accounts.map((account) => {
    const alike = new Set(groups.get(shownLoginName(account.loginName))?.map(({ loginName }) => loginName));
    return { ...account, isAmbiguous: alike.size > 1 };
  });
}
