import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Menu } from "./menu.tsx";
import { ErrorNotice } from "./notice.tsx";
import { Table, type TableProps } from "./table.tsx";
import { tell } from "./toast.tsx";

interface RowActionCommon {
  readonly label: string;
  readonly isDanger?: boolean;
  /** Why this action cannot be taken, besides what holds for all of them. */
  readonly disabledReason?: string | undefined;
}

/** What can be done with a row: a dialog that asks first, or something that is done at once and can be taken back. */
export type RowAction =
  | (RowActionCommon & { readonly dialog: (close: () => void) => ReactNode })
  | (RowActionCommon & { readonly run: () => Promise<unknown>; readonly done?: string });

interface ActionTableProps<Row> extends Omit<TableProps<Row>, "rowActions"> {
  readonly actions: (row: Row) => readonly RowAction[];
  /** Names the menu of a row, such as "Actions for Ada". */
  readonly actionsLabel: (row: Row) => string;
  /** Why the user can take none of the actions. */
  readonly obstacle?: string | undefined;
}

/** A `Table` whose rows have a menu of actions, with their dialogs and refusals. */
export function ActionTable<Row>({ actions, actionsLabel, obstacle, ...table }: ActionTableProps<Row>) {
  const [dialog, setDialog] = useState<ReactNode>();
  const mutation = useMutation({
    mutationFn: async (action: Extract<RowAction, { readonly run: unknown }>) => {
      await action.run();
      if (action.done !== undefined) tell(action.done);
    },
  });
  const close = () => setDialog(undefined);
  return (
    <>
      {mutation.isError && <ErrorNotice error={mutation.error} />}
      <Table
        {...table}
        rowActions={(row) => (
          <Menu
            label={actionsLabel(row)}
            items={actions(row).map((action) => ({
              label: action.label,
              isDanger: action.isDanger === true,
              disabledReason: obstacle ?? action.disabledReason,
              onSelect: () => ("run" in action ? mutation.mutate(action) : setDialog(action.dialog(close))),
            }))}
          />
        )}
      />
      {dialog}
    </>
  );
}
