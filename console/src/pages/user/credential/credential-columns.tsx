import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { Copyable } from "../../../parts/copyable.tsx";
import { Expiry } from "../../../parts/expiry.tsx";
import type { Column } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { t } from "../../../text/catalogue.ts";

interface Credential {
  readonly id: string;
  readonly creationDate?: Timestamp | undefined;
  readonly expirationDate?: Timestamp | undefined;
}

/** The columns of keys and of access tokens, which differ by what their id is called. */
export const credentialColumns = (idHeader: string): readonly Column<Credential>[] => [
  { key: "id", header: idHeader, cell: ({ id }) => <Copyable value={id} /> },
  { key: "created", header: t("user.created"), cell: ({ creationDate }) => <Time at={creationDate} /> },
  { key: "expires", header: t("user.expires"), cell: ({ expirationDate }) => <Expiry at={expirationDate} /> },
];
