import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { linkTo } from "../address.ts";
import { t } from "../text/catalogue.ts";
import { formatNumber } from "../text/format.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { ErrorNotice } from "./notice.tsx";

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Left out on narrow screens. */
  readonly isSecondary?: boolean;
  /** The server can sort by this column. */
  readonly isSortable?: boolean;
}

export interface TableProps<Row> {
  /** What the table lists, for assistive technology. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Address that a click on the row opens. */
  readonly href?: (row: Row) => string;
  /** Actions of a row, usually a `Menu`. */
  readonly rowActions?: (row: Row) => ReactNode;
  readonly error?: unknown;
  readonly isLoading?: boolean;
  readonly empty: ReactNode;
  readonly paging?: Paging;
  readonly sorting?: Sorting;
  readonly selection?: Selection<Row> | undefined;
}

/** Rows that the user chose, by their keys; `useSelection` keeps them. */
interface Selection<Row> {
  readonly keys: ReadonlySet<string>;
  /** What the box of a row is called, such as "Select Ada". */
  readonly label: (row: Row) => string;
  readonly onSelect: (keys: readonly string[], isSelected: boolean) => void;
}

/** By which column the list is sorted; `useSorting` keeps it in the address. */
interface Sorting {
  /** Key of a column. */
  readonly by: string;
  readonly isDescending: boolean;
  readonly onSort: (by: string, isDescending: boolean) => void;
}

interface Paging {
  /** Zero for the first page. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: number | bigint | undefined;
  /** Whether no page follows, where the list says so; otherwise its length tells. */
  readonly isLast?: boolean;
  readonly onPage: (page: number) => void;
}

/** Rows that one page of a list has. */
export const pageSize = 50;

/** How far lists are counted: beyond it the server would read very many rows for a number that few need. */
export const mostCounted = 1000;

/** Whether a list has more rows than were counted. */
export const isUncounted = (total: number | bigint | undefined): boolean => Number(total ?? 0) === mostCounted + 1;

/** Writes how many rows a list has: "1,000+" where more were not counted. */
export const formatTotal = (total: number | bigint): string =>
  isUncounted(total) ? `${formatNumber(mostCounted)}+` : formatNumber(total);

/** The table of every list. The link in the first column covers the row, so that a click anywhere opens it. */
export function Table<Row>(props: TableProps<Row>) {
  const {
    label,
    columns,
    rows,
    rowKey,
    href,
    rowActions,
    error,
    isLoading = false,
    empty,
    paging,
    sorting,
    selection,
  } = props;
  if (error) return <ErrorNotice error={error} />;
  if (rows !== undefined && rows.length === 0 && (paging?.page ?? 0) === 0) return empty;
  return (
    <>
      <div className="table-frame" aria-busy={isLoading}>
        <table aria-label={label}>
          <thead>
            <tr>
              {selection && <SelectAllCell selection={selection} keys={rows?.map(rowKey) ?? []} />}
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} sorting={sorting} />
              ))}
              {rowActions && (
                <th scope="col">
                  <span className="only-read-aloud">{t("table.actions")}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows === undefined
              ? ["1", "2", "3", "4", "5"].map((key) => (
                  <SkeletonRow
                    key={key}
                    keys={[...(selection ? ["check"] : []), ...columns.map((column) => column.key)]}
                  />
                ))
              : rows.map((row) => (
                  <tr key={rowKey(row)} className={href ? "opens" : undefined}>
                    {selection && (
                      <td className="row-check">
                        <input
                          type="checkbox"
                          aria-label={selection.label(row)}
                          checked={selection.keys.has(rowKey(row))}
                          onChange={(event) => selection.onSelect([rowKey(row)], event.target.checked)}
                        />
                      </td>
                    )}
                    {columns.map((column, index) => (
                      <td
                        key={column.key}
                        className={column.isSecondary ? "secondary" : undefined}
                        data-header={index === 0 ? undefined : column.header}
                      >
                        {index === 0 && href ? (
                          <Link {...linkTo(href(row))} className="row-link">
                            {column.cell(row)}
                          </Link>
                        ) : (
                          column.cell(row)
                        )}
                      </td>
                    ))}
                    {rowActions && <td className="row-actions">{rowActions(row)}</td>}
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
      {paging && rows !== undefined && <Pages paging={paging} shown={rows.length} />}
    </>
  );
}

function SelectAllCell<Row>({
  selection: { keys: selected, onSelect },
  keys,
}: {
  readonly selection: Selection<Row>;
  readonly keys: readonly string[];
}) {
  const count = keys.filter((key) => selected.has(key)).length;
  const isAll = count > 0 && count === keys.length;
  return (
    <th scope="col" className="row-check">
      <input
        type="checkbox"
        aria-label={t("job.select.page")}
        checked={isAll}
        // There is nothing to select before the rows are there.
        disabled={keys.length === 0}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isAll;
        }}
        onChange={(event) => onSelect(keys, event.target.checked)}
      />
    </th>
  );
}

function HeaderCell<Row>({
  column: { key, header, isSecondary, isSortable },
  sorting,
}: {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
}) {
  const className = isSecondary ? "secondary" : undefined;
  if (!isSortable || sorting === undefined) {
    return (
      <th scope="col" className={className}>
        {header}
      </th>
    );
  }
  const isSorted = sorting.by === key;
  const direction = sorting.isDescending ? "descending" : "ascending";
  return (
    <th scope="col" className={className} aria-sort={isSorted ? direction : undefined}>
      <button type="button" className="sort" onClick={() => sorting.onSort(key, isSorted && !sorting.isDescending)}>
        {header}
        {isSorted && <Icon name={sorting.isDescending ? "down" : "up"} />}
      </button>
    </th>
  );
}

const SkeletonRow = ({ keys }: { readonly keys: readonly string[] }) => (
  <tr>
    {keys.map((key) => (
      <td key={key}>
        <span className="skeleton" />
      </td>
    ))}
  </tr>
);

function Pages({
  paging: { page, pageSize, total, onPage, isLast: isKnownLast },
  shown,
}: {
  readonly paging: Paging;
  readonly shown: number;
}) {
  const from = page * pageSize + 1;
  const to = page * pageSize + shown;
  // A list that is seen at a glance needs no count.
  const isShort = page === 0 && shown <= 10;
  const isLast = isKnownLast ?? (total === undefined || isUncounted(total) ? shown < pageSize : to >= Number(total));
  if (isShort && isLast) return null;
  return (
    <nav className="paging" aria-label={t("table.pages")}>
      <p className="muted">
        {shown > 0 &&
          (total === undefined
            ? t("table.range", { from: formatNumber(from), to: formatNumber(to) })
            : t("table.rangeOf", { from: formatNumber(from), to: formatNumber(to), total: formatTotal(total) }))}
      </p>
      {(page > 0 || !isLast) && (
        <>
          <Button disabled={page === 0} onClick={() => onPage(page - 1)}>
            {t("table.previous")}
          </Button>
          <Button disabled={isLast} onClick={() => onPage(page + 1)}>
            {t("table.next")}
          </Button>
        </>
      )}
    </nav>
  );
}
