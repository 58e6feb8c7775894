import assert from "node:assert/strict";
import { test } from "node:test";
import { isLocalhostName, isLoopbackAddress, isLoopbackHost } from "../../../src/base/outbound/index.ts";
import { checkTransport } from "../../../src/cli/doctor/check-transport.ts";

test("loopback addresses are known in every spelling of a socket", () => {
  for (const address of [
    "127.0.0.1",
    "127.255.255.254",
    "::1",
    "0:0:0:0:0:0:0:1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
  ]) {
    assert.equal(isLoopbackAddress(address), true, address);
  }
  for (const address of ["", "localhost", "[::1]", "126.255.255.255", "128.0.0.1", "::2", "::ffff:10.0.0.1", "127.1"]) {
    assert.equal(isLoopbackAddress(address), false, address);
  }
});

test("the host of a URI is this machine by address or as localhost, not below it (RFC 8252 §7.3, §8.3)", () => {
  for (const host of ["localhost", "127.0.0.1", "127.8.8.8", "[::1]"]) assert.equal(isLoopbackHost(host), true, host);
  for (const host of ["a.localhost", "localhost.", "127.example.com", "::1", "[::ffff:7f00:1]", "0.0.0.0", "[::]"]) {
    assert.equal(isLoopbackHost(host), false, host);
  }
});

test("names below localhost are this machine to browsers and resolvers (RFC 6761 §6.3)", () => {
  for (const name of ["localhost", "a.localhost", "b.a.localhost"]) assert.equal(isLocalhostName(name), true, name);
  for (const name of ["notlocalhost", "localhost.example", "127.0.0.1"])
    assert.equal(isLocalhostName(name), false, name);
});

test("the connection to a database needs TLS unless the server is on this machine", () => {
  const isWarned = (url: string): boolean => checkTransport(url).length > 0;
  for (const host of ["localhost", "127.0.0.1", "[::1]", "db.example"]) {
    assert.equal(isWarned(`postgres://doorward@${host}/doorward`), host === "db.example", host);
  }
  assert.equal(isWarned("postgres:///doorward?host=/var/run/postgresql"), false);
  assert.equal(isWarned("postgres:///doorward?host=::1"), false);
  assert.equal(isWarned("postgres://doorward@127.example.com/doorward"), true, "a name that begins like an address");
  assert.equal(isWarned("postgres://doorward@127.example.com/doorward?sslmode=verify-full"), false);
});
