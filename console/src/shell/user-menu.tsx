import { Menu } from "../parts/menu.tsx";
import { t } from "../text/catalogue.ts";
import { useMe } from "./access.ts";
import { useSession } from "./session-context.ts";

/** The user's menu: their own account, the documentation, and the way out. */
export function UserMenu({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const me = useMe();
  const session = useSession();
  const name = me?.type.case === "human" ? me.type.value.profile?.displayName : me?.userName;
  return (
    <Menu
      label={t("userMenu.label")}
      items={[
        { label: t("userMenu.account"), onSelect: () => location.assign("/ui/account") },
        { label: t("keys.title"), onSelect: onShortcuts },
        { label: t("userMenu.docs"), onSelect: () => location.assign("/docs") },
        { label: t("userMenu.signOut"), onSelect: () => session.signOut() },
      ]}
    >
      <span className="avatar" aria-hidden="true">
        {(name ?? "?").slice(0, 1).toUpperCase()}
      </span>
      <span className="user-name">{name}</span>
    </Menu>
  );
}
