import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addressSet,
  isAddressRange,
  isPrivateAddress,
  isWideRange,
  networkOf,
} from '../../../src/platform/http/ip-addresses.ts'

for (const range of [
  '10.0.0.1',
  '10.0.0.0/8',
  '0.0.0.0/0',
  '10.0.0.1/32',
  '::1',
  '::/0',
  'fc00::/7',
  '::1/128',
  '::ffff:10.0.0.1',
  '2001:DB8::1',
]) {
  test(`${range} is an address or a range`, () => assert.ok(isAddressRange(range)))
}

for (const range of [
  '',
  ' 10.0.0.1',
  '10.0.0.1 ',
  '10.0.0',
  '10.0.0.256',
  '10.0.0.01',
  '010.0.0.1',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8.0',
  '10.0.0.0/8/8',
  '10.0.0.0/0x8',
  '::1/129',
  ':::1',
  'fe80::1%eth0',
  '[::1]',
  '127.1',
  '2130706433',
  '10.0.0.*',
  'localhost',
  '10.0.0.1,10.0.0.2',
]) {
  test(`${JSON.stringify(range)} is neither an address nor a range`, () => assert.equal(isAddressRange(range), false))
}

test('every accepted range can be added to a set', () => {
  for (const range of ['10.0.0.0/08', '10.0.0.0/008', '10.0.0.7/8', '::ffff:10.0.0.0/104', '1::2/64']) {
    assert.ok(isAddressRange(range))
    assert.ok(addressSet([range])(range.replace(/\/.*/, '')), range)
  }
})

const whitelist = addressSet(['127.0.0.0/8', '41.0.0.1', '2c0f:f00::/32', '::ffff:196.1.0.0/112'])

for (const [address, expected] of [
  ['127.0.0.1', true],
  ['::ffff:127.0.0.1', true], // how Node reports an IPv4 peer on a socket that serves both families
  ['::ffff:7f00:1', true],
  ['127.255.255.255', true],
  ['128.0.0.0', false],
  ['41.0.0.1', true],
  ['::ffff:41.0.0.1', true],
  ['41.0.0.2', false],
  ['::ffff:41.0.0.2', false],
  ['2c0f:f00::1', true],
  ['2C0F:0F00:0:0::1', true],
  ['2c0f:f01::1', false],
  ['196.1.2.3', true], // an IPv4 range that is written as an IPv6 one
  ['196.2.2.3', false],
  ['::1', false],
  ['fe80::1%eth0', false],
  ['', false],
  ['127.1', false],
  ['localhost', false],
] as const) {
  test(`${JSON.stringify(address)} is ${expected ? 'in' : 'outside'} the whitelist`, () =>
    assert.equal(whitelist(address), expected))
}

test('nothing is in an empty set, and every IPv4 address is in 0.0.0.0/0', () => {
  assert.equal(addressSet([])('127.0.0.1'), false)
  for (const address of ['8.8.8.8', '::ffff:8.8.8.8']) assert.ok(addressSet(['0.0.0.0/0'])(address))
})

for (const address of [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '168.63.129.16',
  '169.254.169.254', // the metadata service of cloud machines, which has credentials
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1', // IPv4-compatible
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:0:7f00:1',
  '::ffff:0:8.8.8.8',
  '64:ff9b::7f00:1', // NAT64
  '64:ff9b:1::7f00:1',
  '2001:0:0:0:0:0:0:1', // Teredo
  '2002:7f00:1::', // 6to4
  '2001:db8::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
]) {
  test(`${address} is not on the public internet`, () => assert.ok(isPrivateAddress(address)))
}

for (const address of [
  '8.8.8.8',
  '::ffff:8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '41.58.0.1',
  '2c0f:f00::1',
  '2606:4700::1111',
  '2a00:1450::1',
]) {
  test(`${address} is on the public internet`, () => assert.equal(isPrivateAddress(address), false))
}

for (const [address, network] of [
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2c0f:f00:1:2:3:4:5:6', '2c0f:f00:1:2::/64'],
  ['2C0F:0F00:0001:0002::', '2c0f:f00:1:2::/64'],
  ['2c0f:f00:1:2:ffff::1', '2c0f:f00:1:2::/64'],
  ['2c0f:f00:1:3::1', '2c0f:f00:1:3::/64'],
  ['2c0f::1', '2c0f:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['no address', 'no address'],
] as const) {
  test(`${address} belongs to the network ${network}`, () => assert.equal(networkOf(address), network))
}

for (const range of [
  '0.0.0.0/0',
  '0.0.0.0/1',
  '41.0.0.0/7',
  '::/0',
  '2000::/3',
  '2c0f::/31',
  '::ffff:0:0/96',
  '::ffff:0.0.0.0/103',
])
  test(`${range} is wide`, () => assert.ok(isWideRange(range)))
for (const range of ['41.0.0.0/8', '10.0.0.1', '2c0f:f00::/32', '::1', '::ffff:41.0.0.0/104', '::ffff:41.0.0.1'])
  test(`${range} is not wide`, () => assert.equal(isWideRange(range), false))
