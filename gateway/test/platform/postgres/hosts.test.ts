import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localHosts } from '../../../src/platform/http/host-names.ts'

const servesHost = localHosts('https://sandbox.example.com:8443/kobo')

for (const host of [
  'localhost',
  'localhost:8080',
  'LOCALHOST:8080',
  'localhost.',
  'kobo.localhost:8080',
  '127.0.0.1:8080',
  '192.168.1.5',
  '[::1]:8080',
  'gateway:8080',
  'host.docker.internal:8080',
  'laptop.local',
  'sandbox.example.com',
  'sandbox.example.com:8443',
])
  test(`a sandbox accepts the host ${host}`, () => assert.ok(servesHost(host)))

for (const host of [
  'evil.example',
  'evil.example:8080',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'notlocalhost.example',
  'sandbox.example.com.evil.example',
  'a b',
  '[::1',
  '',
])
  test(`a sandbox rejects the host ${JSON.stringify(host)}`, () => assert.equal(servesHost(host), false))
