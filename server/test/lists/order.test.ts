import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../support/databases.ts";
import { startServer } from "../support/server.ts";
import { systemUser } from "../support/system-user.ts";
import { type Item, type List, lists } from "./support/lists.ts";
import { type Ask, makeThings } from "./support/things.ts";

/** The columns of a list by the ends of their names: `AUTHORIZATION_FIELD_NAME_USER_ID` is `USER_ID`. */
const endOf = (column: string): string => /(?:FIELD_NAME|SORT_BY)_(\w+)$/.exec(column)?.[1] ?? column;

const compare = (left: string | number, right: string | number): number => (left < right ? -1 : left > right ? 1 : 0);

eachEngine((_open, engine) => {
  test("lists", async (t) => {
    const { config, tokenFor } = systemUser(t);
    const server = await startServer(t, { engine, config });
    const askBy =
      (token: () => string): Ask =>
      async (method, body) => {
        const answer = await server.rest("POST", `/service.${method}`, { body, token: token() });
        assert.equal(answer.status, 200, `${method} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`);
        return answer.body;
      };
    const ask = askBy(() => server.ownerToken);
    const askAsSystem = askBy(() => tokenFor(server));
    const things = await makeThings(server, ask, askAsSystem);

    /** One page of a list: its rows and its total. */
    const read = async (method: string, given: object): Promise<{ rows: Item[]; total: number }> => {
      const list = lists[method] ?? assert.fail(method);
      const body = { ...list.request?.(things), ...given };
      const answer = await (list.isOfSystem ? askAsSystem : ask)(method, body);
      const { totalResult = 0 } = answer.pagination ?? answer.details;
      return { rows: answer[list.rows] ?? [], total: Number(totalResult) };
    };

    await t.test("each list has each of its columns, up and down, whole and in pages", async () => {
      const complaints: string[] = [];
      let columns = 0;
      const asked = new Set<string>();
      for (const method of server.app.methods.values()) {
        if (!/\.v2\.\w+\/List/.test(method.name)) continue;
        const { input } = await method.loadDescriptor();
        const column = input.fields.find(({ name }) => name === "sorting_column");
        if (column?.enum === undefined) continue;
        const name = method.name.replace(/^service\./, "");
        asked.add(name);
        const list: List | undefined = lists[name];
        if (list === undefined) {
          complaints.push(`${name} has no row in support/lists.ts`);
          continue;
        }
        const paging = input.fields.some((field) => field.name === "pagination") ? "pagination" : "query";
        for (const { name: sortingColumn } of column.enum.values) {
          if (sortingColumn.endsWith("UNSPECIFIED")) continue;
          columns++;
          const complain = (what: string): void => void complaints.push(`${name} by ${sortingColumn}: ${what}`);
          const look = list.columns[endOf(sortingColumn)];
          if (look === undefined) {
            complain("nobody says where it stands");
            continue;
          }
          const up = await read(name, { sortingColumn, [paging]: { asc: true } });
          const down = await read(name, { sortingColumn, [paging]: { asc: false } });
          const values = up.rows.map(look);
          if (up.rows.length < 3) complain(`there are only ${up.rows.length}`);
          if (
            new Set(values).size < 2 &&
            !["TYPE", "GENERATED", "PROJECT_ID", "ORGANIZATION_ID"].includes(endOf(sortingColumn))
          )
            complain(`all are ${values[0]}`);
          if (JSON.stringify(values) !== JSON.stringify(values.toSorted(compare))) complain(`is ${values.join()}`);
          if (JSON.stringify(up.rows) !== JSON.stringify(down.rows.toReversed()))
            complain("downwards is another order");
          const paged: Item[] = [];
          for (let offset = 0; offset < up.total; offset += 2) {
            const page = await read(name, { sortingColumn, [paging]: { asc: true, offset, limit: 2 } });
            if (page.total !== up.rows.length) complain(`a page says ${page.total} of ${up.rows.length}`);
            paged.push(...page.rows);
          }
          if (JSON.stringify(paged) !== JSON.stringify(up.rows)) complain("its pages are something else");
        }
      }
      assert.deepEqual(
        [...Object.keys(lists)].filter((name) => !asked.has(name)),
        [],
        "rows of no list",
      );
      assert.deepEqual(complaints, []);
      assert.ok(columns > 75, `${columns} columns`);
    });

    await t.test("filters find what they say, and the total counts nothing else", async () => {
      const { organizations, users, targetKeys, keys, tokens, instances } = things;
      const contains = "TEXT_QUERY_METHOD_CONTAINS";
      const after = { timestamp: "2100-06-01T00:00:00Z", method: "TIMESTAMP_FILTER_METHOD_AFTER" };
      const before = { timestamp: "2100-06-01T00:00:00Z", method: "TIMESTAMP_FILTER_METHOD_BEFORE" };
      const never = { timestamp: "2099-01-01T00:00:00Z", method: "TIMESTAMP_FILTER_METHOD_AFTER" };
      const action = "action.v2.ActionService/ListPublicKeys";
      const service = "user.v2.UserService";
      const rows: readonly [method: string, filters: readonly object[], expected: readonly (string | undefined)[]][] = [
        [action, [{ keyIdsFilter: { ids: [targetKeys[0], targetKeys[2], "404"] } }], [targetKeys[0], targetKeys[2]]],
        [action, [{ expirationDateFilter: before }], [targetKeys[1]]],
        [action, [{ expirationDateFilter: after }, { activeFilter: true }], []],
        ...(
          [
            ["ListKeys", keys, "keyIdFilter"],
            ["ListPersonalAccessTokens", tokens, "tokenIdFilter"],
          ] as const
        ).flatMap(([method, ids, idFilter]): [string, object[], (string | undefined)[]][] => [
          [`${service}/${method}`, [{ [idFilter]: { id: ids[1] } }], [ids[1]]],
          [`${service}/${method}`, [{ expirationDateFilter: before }], [ids[1]]],
          [`${service}/${method}`, [{ createdDateFilter: never }], []],
          [`${service}/${method}`, [{ organizationIdFilter: { id: organizations[0] } }], [ids[0]]],
        ]),
        [
          "instance.v2.InstanceService/ListInstances",
          [{ inIdsFilter: { ids: [instances[2], "404"] } }],
          [instances[2]],
        ],
        [
          "instance.v2.InstanceService/ListInstances",
          [{ customDomainsFilter: { domains: ["gamma.test", "none.test"] } }],
          [instances[1]],
        ],
        [
          "instance.v2.InstanceService/ListCustomDomains",
          [{ domainFilter: { domain: "ta.host", method: contains } }],
          ["beta.host.test"],
        ],
        ["instance.v2.InstanceService/ListCustomDomains", [{ generatedFilter: true }, { primaryFilter: false }], []],
        [
          "instance.v2.InstanceService/ListTrustedDomains",
          [{ domainFilter: { domain: "alpha.links.test", method: "TEXT_QUERY_METHOD_EQUALS" } }],
          ["alpha.links.test"],
        ],
        [
          "org.v2.OrganizationService/ListOrganizationDomains",
          [{ domainFilter: { domain: "alpha", method: "TEXT_QUERY_METHOD_STARTS_WITH" } }],
          ["alpha.example"],
        ],
        [
          `${service}/ListUsers`,
          [{ organizationIdQuery: { organizationId: organizations[1] } }, { typeQuery: { type: "TYPE_HUMAN" } }],
          [users[0]],
        ],
        [`${service}/ListUsers`, [{ phoneQuery: { number: "+41791234561" } }], [users[1]]],
        [
          `${service}/ListUsers`,
          [{ metadataKeyFilter: { key: "key-al", method: "TEXT_FILTER_METHOD_STARTS_WITH" } }],
          [users[2]],
        ],
        [
          `${service}/ListUsers`,
          [{ metadataValueFilter: { value: "AAEC" } }, { stateQuery: { state: "USER_STATE_INACTIVE" } }],
          [users[1]],
        ],
      ];
      for (const [method, filters, expected] of rows) {
        const name = method.endsWith("ListUsers") ? "queries" : "filters";
        const found = await read(method, { [name]: filters });
        const ids = found.rows.map(({ id, keyId, userId, domain, user }: Item) =>
          method.endsWith("ListUsers") ? userId : (id ?? keyId ?? domain ?? user),
        );
        assert.deepEqual(ids.toSorted(), expected.toSorted(), `${method} ${JSON.stringify(filters)}`);
        assert.equal(found.total, expected.length, method);
      }
      const defaults = await read("org.v2.OrganizationService/ListOrganizations", { queries: [{ defaultQuery: {} }] });
      assert.deepEqual([defaults.total, defaults.rows[0]?.name], [1, "Doorward"]);
    });
  });
});
