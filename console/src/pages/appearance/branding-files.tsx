import { Code, ConnectError } from "@connectrpc/connect";
import type { LabelPolicy } from "@doorward/api/service/policy/v1/policy_pb";
import { useMutation } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { organizationHeader } from "../../api/call.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { Section } from "../../parts/page.tsx";
import { tell } from "../../parts/toast.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { useSession } from "../../shell/session-context.ts";
import { t } from "../../text/catalogue.ts";
import { type AssetSlot, assetPaths, assetSlots, type BrandingAccess } from "./branding-access.ts";

interface BrandingFilesProps {
  readonly draft: LabelPolicy;
  readonly access: BrandingAccess;
  /** Why files cannot be changed. */
  readonly reason: string | undefined;
  readonly onChanged: () => Promise<unknown>;
}

const urlOf = (draft: LabelPolicy, slot: AssetSlot): string =>
  ({
    logo: draft.logoUrl,
    logoDark: draft.logoUrlDark,
    icon: draft.iconUrl,
    iconDark: draft.iconUrlDark,
    font: draft.fontUrl,
  })[slot];

/** The pictures and the font of the draft. Each is stored at once; users see it when the draft is activated. */
export const BrandingFiles = ({ draft, ...rest }: BrandingFilesProps) => (
  <Section title={t("appearance.files")} lead={t("appearance.files.lead")}>
    {rest.reason !== undefined && <p className="read-only">{rest.reason}</p>}
    <ul className="plain-list">
      {assetSlots.map((slot) => (
        <AssetRow key={slot} slot={slot} url={urlOf(draft, slot)} {...rest} />
      ))}
    </ul>
  </Section>
);

type AssetRowProps = Omit<BrandingFilesProps, "draft"> & { readonly slot: AssetSlot; readonly url: string };

function AssetRow({ slot, url, access, reason, onChanged }: AssetRowProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const session = useSession();
  const organizationId = useOrganizationId();
  const name = t(`appearance.file.${slot}`);
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const body = new FormData();
      body.set("file", file);
      const headers: HeadersInit = organizationId === undefined ? {} : { [organizationHeader]: organizationId };
      const path = `/assets/v1/${access.level}/policy/label/${assetPaths[slot]}`;
      const response = await session.fetch(location.origin + path, { method: "POST", headers, body });
      if (!response.ok) {
        const { message = "" } = (await response.json()) as { readonly message?: string };
        throw new ConnectError(message, Code.InvalidArgument);
      }
      await onChanged();
    },
    onSuccess: () => tell(t("appearance.file.stored")),
  });
  const removal = useMutation({ mutationFn: () => access.remove(slot).then(onChanged) });
  const error = upload.error ?? removal.error;
  return (
    <li className="asset-row">
      <span className={slot.endsWith("Dark") ? "asset dark" : "asset"}>
        {slot === "font" || url === "" ? (
          <span className="muted small">{url === "" ? t("appearance.file.none") : t("appearance.file.set")}</span>
        ) : (
          <img src={url} alt={name} />
        )}
      </span>
      <span>
        {name}
        <span className="subtitle" id={`${id}-hint`}>
          {t(`appearance.file.${slot}.hint`)}
        </span>
      </span>
      <span className="row-buttons">
        <input
          ref={input}
          type="file"
          hidden
          accept={slot === "font" ? ".woff2,.ttf,.otf" : "image/png,image/jpeg,image/webp,image/svg+xml"}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file !== undefined) upload.mutate(file);
            event.target.value = "";
          }}
        />
        <Button
          disabledReason={reason}
          isBusy={upload.isPending}
          aria-label={t(url === "" ? "appearance.file.chooseNamed" : "appearance.file.replaceNamed", { name })}
          onClick={() => input.current?.click()}
        >
          {t(url === "" ? "appearance.file.choose" : "appearance.file.replace")}
        </Button>
        {url !== "" && (
          <Button
            look="quiet"
            disabledReason={reason}
            isBusy={removal.isPending}
            aria-label={t("appearance.file.removeNamed", { name })}
            onClick={() => removal.mutate()}
          >
            {t("appearance.file.remove")}
          </Button>
        )}
      </span>
      {error && <ErrorNotice error={error} />}
    </li>
  );
}
