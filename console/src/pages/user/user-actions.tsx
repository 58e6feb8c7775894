import { useQuery } from "@connectrpc/connect-query";
import { type User, UserState } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { lazy, Suspense, useState } from "react";
import { useAddress } from "../../address.ts";
import { nameOf } from "../../api/user-name.ts";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Menu } from "../../parts/menu.tsx";
import { tell } from "../../parts/toast.tsx";
import { useMe } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { useObstacleHere } from "./obstacle-here.ts";
import { useUserCalls } from "./user-calls.ts";

const ImpersonationDialog = lazy(async () => ({
  default: (await import("./impersonation-dialog.tsx")).ImpersonationDialog,
}));

type Action =
  | "deactivate"
  | "reactivate"
  | "lock"
  | "unlock"
  | "reset"
  | "verify"
  | "invite"
  | "inviteAgain"
  | "delete";

/** The menu of what can be done with a user as a whole. Everything asks first and says what follows. */
export function UserActions({ user }: { readonly user: User }) {
  const [asked, setAsked] = useState<Action>();
  const writeObstacle = useObstacleHere("user.write");
  const deleteObstacle = useObstacleHere("user.delete");
  const impersonateObstacle = useObstacleHere("impersonation");
  const [isImpersonating, setImpersonating] = useState(false);
  const isMe = useMe()?.id === user.userId;
  const item = (action: Action, label: string, isDanger = false) => ({
    label,
    isDanger,
    disabledReason: action === "delete" ? deleteObstacle : writeObstacle,
    onSelect: () => setAsked(action),
  });
  const self = isMe ? t("user.action.self") : undefined;
  const human = user.type.case === "human" ? user.type.value : undefined;
  const methods = useQuery(
    UserService.method.listAuthenticationMethodTypes,
    { userId: user.userId },
    { enabled: human !== undefined },
  );
  const isInvited = methods.data?.invitation?.isReturned === false;
  const isActive = user.state === UserState.ACTIVE;
  const items = [
    ...(human && isActive
      ? [
          item("reset", t("user.action.reset")),
          ...(human.email?.isVerified ? [] : [item("verify", t("user.action.verify"))]),
          // Only those who have no way to sign in can be invited.
          ...(methods.data?.authMethodTypes.length === 0
            ? [isInvited ? item("inviteAgain", t("user.action.inviteAgain")) : item("invite", t("user.action.invite"))]
            : []),
        ]
      : []),
    ...(human && isActive && !isMe
      ? [
          {
            label: t("user.action.impersonate"),
            disabledReason: impersonateObstacle,
            onSelect: () => setImpersonating(true),
          },
        ]
      : []),
    ...(user.state === UserState.LOCKED
      ? [item("unlock", t("user.action.unlock"))]
      : isActive
        ? [{ ...item("lock", t("user.action.lock")), ...(self && { disabledReason: self }) }]
        : []),
    ...(user.state === UserState.INACTIVE
      ? [item("reactivate", t("user.action.reactivate"))]
      : [{ ...item("deactivate", t("user.action.deactivate")), ...(self && { disabledReason: self }) }]),
    { ...item("delete", t("user.action.delete"), true), ...(self && { disabledReason: self }) },
  ];
  return (
    <>
      <Menu label={t("user.actions")} items={items} look="secondary">
        <span aria-hidden="true">{t("table.actions")}</span>
        <Icon name="down" />
      </Menu>
      {isImpersonating && (
        <Suspense fallback={null}>
          <ImpersonationDialog user={user} onClose={() => setImpersonating(false)} />
        </Suspense>
      )}
      {asked !== undefined && <AskedDialog user={user} action={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface AskedProps {
  readonly user: User;
  readonly action: Action;
  readonly onClose: () => void;
}

function AskedDialog({ user, action, onClose }: AskedProps) {
  const calls = useUserCalls(user);
  const { go } = useAddress();
  const name = nameOf(user);
  const email = user.type.case === "human" ? (user.type.value.email?.email ?? "") : "";
  const isHuman = user.type.case === "human";
  const asked = {
    deactivate: {
      title: t("user.deactivate.title", { name }),
      consequences: isHuman
        ? [t("user.deactivate.access"), t("user.deactivate.sessions"), t("user.deactivate.kept")]
        : [t("user.deactivate.tokens"), t("user.deactivate.kept")],
      action: t("user.action.deactivate"),
      done: t("user.deactivate.done"),
    },
    reactivate: {
      title: t("user.reactivate.title", { name }),
      consequences: [t("user.reactivate.access")],
      action: t("user.action.reactivate"),
      done: t("user.reactivate.done"),
    },
    lock: {
      title: t("user.lock.title", { name }),
      consequences: [t("user.lock.access"), t("user.lock.kept")],
      action: t("user.action.lock"),
      done: t("user.lock.done"),
    },
    unlock: {
      title: t("user.unlock.title", { name }),
      consequences: [t("user.unlock.access")],
      action: t("user.action.unlock"),
      done: t("user.unlock.done"),
    },
    reset: {
      title: t("user.reset.title", { name }),
      consequences: [t("user.reset.sent", { email }), t("user.reset.kept")],
      action: t("user.reset.send"),
      done: t("user.reset.done"),
    },
    verify: {
      title: t("user.verify.title"),
      consequences: [t("user.verify.sent", { email })],
      action: t("user.verify.send"),
      done: t("user.verify.done"),
    },
    invite: wordsOfInvitation(name, email),
    inviteAgain: { ...wordsOfInvitation(name, email), action: t("user.invite.again") },
    delete: {
      title: t("user.delete.title", { name }),
      consequences: [
        t("user.delete.profile"),
        isHuman ? t("user.delete.methods") : t("user.delete.credentials"),
        t("user.delete.roles"),
        t("user.delete.final"),
      ],
      action: isHuman ? t("user.delete.action") : t("user.delete.serviceAction"),
      done: t("user.delete.done"),
    },
  }[action];
  return (
    <DangerDialog
      title={asked.title}
      consequences={asked.consequences}
      action={asked.action}
      look={action === "deactivate" || action === "lock" || action === "delete" ? "danger" : "primary"}
      {...(action === "delete" && { nameToType: user.username })}
      onConfirm={async () => {
        await calls[action]();
        tell(asked.done);
        if (action === "delete") go("/users");
      }}
      onClose={onClose}
    />
  );
}

const wordsOfInvitation = (name: string, email: string) => ({
  title: t("user.invite.title", { name }),
  consequences: [t("user.invite.sent", { email }), t("user.invite.earlier")],
  action: t("user.invite.send"),
  done: t("user.invite.done"),
});
