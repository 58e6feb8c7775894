import assert from "node:assert/strict";
import { test } from "node:test";
import { isPublicAddress } from "../../../src/base/outbound/address.ts";
import { createAllowList, isAllowEntry } from "../../../src/base/outbound/allow-list.ts";

/** Addresses that are not of the public internet, with their edges, in the forms that a resolver can give. */
const innerAddresses = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.0",
  "10.255.255.255",
  "100.64.0.0",
  "100.100.100.200",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.255",
  "168.63.129.16",
  "169.254.0.0",
  "169.254.169.254",
  "169.254.170.2",
  "172.16.0.0",
  "172.31.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.0",
  "192.168.255.255",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:93.184.215.14",
  "::127.0.0.1",
  "::ffff:0:127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::1",
  "100::1",
  "100:0:0:1::1",
  "2001::1",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  "2001:2::1",
  "2001:10::1",
  "2001:20::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "2002:a9fe:a9fe::1",
  "3fff::1",
  "4000::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fdff::1",
  "fe80::1",
  "fe80::1%eth0",
  "febf::1",
  "fec0::1",
  "ff02::1",
  "ff0e::1",
  "2606:4700::1%1",
];

const publicAddresses = [
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "93.184.215.14",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "168.63.129.15",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2000::1",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2001:db9::1",
  "2003::1",
  "2606:4700:4700::1111",
  "3ffe::1",
  "3ffe:ffff::1",
];

test("only addresses of the public internet are public", () => {
  for (const address of innerAddresses) assert.equal(isPublicAddress(address), false, address);
  for (const address of publicAddresses) assert.equal(isPublicAddress(address), true, address);
  for (const text of ["", "localhost", "1.1.1", "0x1.1.1.1", "1.1.1.1:80", "[2606:4700::1]", "01.1.1.1", " 1.1.1.1"]) {
    assert.equal(isPublicAddress(text), false, JSON.stringify(text));
  }
});

test("an operator opens networks and hosts, and nothing beside them", () => {
  const entries = ["10.1.0.0/16", "192.168.7.7", "fd00:1::/32", "hooks.internal", "*.lan", "::1"];
  const { mayReach } = createAllowList(entries);
  const reaches = (host: string, address: string, isPlain = false): boolean =>
    mayReach({ host, port: 443, isPlain }, address);
  assert.ok(reaches("a.example", "10.1.2.3"));
  assert.ok(reaches("a.example", "10.1.2.3", true), "what was opened may be plain");
  assert.ok(!reaches("a.example", "10.2.0.1"));
  assert.ok(reaches("a.example", "192.168.7.7"));
  assert.ok(!reaches("a.example", "192.168.7.8"));
  assert.ok(reaches("a.example", "fd00:1::5"));
  assert.ok(!reaches("a.example", "fd00:2::5"));
  assert.ok(reaches("hooks.internal", "127.0.0.1"));
  assert.ok(!reaches("x.hooks.internal", "127.0.0.1"));
  assert.ok(reaches("printer.lan", "10.9.9.9"));
  assert.ok(!reaches("lan", "10.9.9.9"));
  assert.ok(!reaches("evillan", "10.9.9.9"));
  assert.ok(reaches("a.example", "1.1.1.1"));
  assert.ok(!reaches("a.example", "1.1.1.1", true), "the internet is reached by TLS alone");
  assert.ok(!reaches("a.example", "not an address"));
});

test("an entry with a port opens this port alone (A31)", () => {
  const { mayReach, isOpen } = createAllowList(["hooks.internal:8443", "10.1.2.3:80", "[fd00::1]:80"]);
  const reaches = (host: string, port: number, address: string) => mayReach({ host, port, isPlain: true }, address);
  assert.ok(reaches("hooks.internal", 8443, "10.9.9.9"));
  assert.ok(!reaches("hooks.internal", 443, "10.9.9.9"));
  assert.ok(reaches("a.example", 80, "10.1.2.3"));
  assert.ok(!reaches("a.example", 81, "10.1.2.3"));
  assert.ok(reaches("a.example", 80, "fd00::1"));
  assert.ok(isOpen({ host: "hooks.internal", port: 8443 }) && !isOpen({ host: "hooks.internal", port: 80 }));
});

test("entries of the list are networks, addresses, hosts and names below a domain", () => {
  const withPort = ["hooks.internal:8443", "127.0.0.1:1025", "[::1]:1025", "*.internal:25"];
  for (const good of [
    "10.0.0.0/8",
    "::1",
    "fd00::/8",
    "127.0.0.1",
    "localhost",
    "hooks.internal",
    "*.internal",
    ...withPort,
  ]) {
    assert.ok(isAllowEntry(good), good);
  }
  const bad = [
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/8/8",
    "https://hooks.internal",
    "a:0",
    "a:65536",
    "10.0.0.0/8:25",
    "[::1:25",
    "*:25",
    "*",
    "*.",
    "a b",
    "",
    "*.*.a",
  ];
  for (const text of bad) assert.ok(!isAllowEntry(text), text);
});
