import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { ExportFormat, ExportService } from "@doorward/api/service/export/v2/export_service_pb";
import { useMutation } from "@tanstack/react-query";
import { createPortal } from "react-dom";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Menu } from "../../parts/menu.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { t } from "../../text/catalogue.ts";
import type { UserQueries } from "./use-queries.ts";

const formats = [
  { label: "CSV", format: ExportFormat.CSV, name: "users.csv", type: "text/csv" },
  { label: "JSON", format: ExportFormat.JSON_LINES, name: "users.jsonl", type: "application/x-ndjson" },
] as const;

/** A menu that saves the users of the list in a file. They come part by part, so that the list may be long. */
export function UserDownload({ queries }: { readonly queries: UserQueries }) {
  const client = createClient(ExportService, useTransport());
  const download = useMutation({
    mutationFn: async ({ format, name, type }: (typeof formats)[number]) => {
      const parts: Blob[] = [];
      let pageToken = "";
      do {
        const part = await client.exportUsers({ queries, format, pageToken });
        parts.push(new Blob([part.content]));
        pageToken = part.nextPageToken;
      } while (pageToken !== "");
      saveFile(new Blob(parts, { type }), name);
    },
  });
  return (
    <>
      <Menu
        label={t("activity.download")}
        look="secondary"
        items={formats.map((each) => ({ label: each.label, onSelect: () => download.mutate(each) }))}
      >
        <span aria-hidden="true">{download.isPending ? t("common.working") : t("activity.download")}</span>
        <Icon name="down" />
      </Menu>
      {download.isError &&
        createPortal(
          <Dialog title={t("activity.download")} onClose={() => download.reset()}>
            <ErrorNotice error={download.error} />
          </Dialog>,
          document.body,
        )}
    </>
  );
}
