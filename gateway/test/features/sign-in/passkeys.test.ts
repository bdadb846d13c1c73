import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import * as contract from '@kobo/contract'
import { sha256 } from '../../../src/platform/crypto.ts'
import { type Running, start } from '../../harness/gateway.ts'
import { aBrowser, aWall, type TestBrowser } from '../../harness/users.ts'

const PASSWORD = 'correct horse battery'
const wall = aWall()
let running: Running
before(async () => {
  running = await start({ wall, env: { KOBO_RATE_LIMIT: '100000' } })
})
after(() => running.close())

/** A simulated authenticator with a browser's output. */
function anAuthenticator(kind: 'ec' | 'ed25519' = 'ec') {
  const { privateKey, publicKey } =
    kind === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  const id = randomBytes(16)
  let count = 0
  const host = sha256(new URL(running.url).hostname)
  const clientData = (type: string, challenge: string, origin = running.url): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const counter = (): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(++count)
    return bytes
  }
  const text = (bytes: Buffer): string => bytes.toString('base64url')
  return {
    /** Creates a passkey. */
    make: (challenge: string, origin?: string) => ({
      credentialId: text(id),
      clientData: text(clientData('webauthn.create', challenge, origin)),
      authenticatorData: text(
        Buffer.concat([host, Buffer.from([0x45]), counter(), Buffer.alloc(16), Buffer.from([0, id.length]), id]),
      ),
      publicKey: text(publicKey.export({ format: 'der', type: 'spki' })),
    }),
    /** Signs with it; by default the user was verified by fingerprint or PIN. */
    sign: (challenge: string, { origin = running.url, flags = 0x05, copied = false } = {}) => {
      if (copied) count -= 1
      const data = Buffer.concat([host, Buffer.from([flags]), counter()])
      const client = clientData('webauthn.get', challenge, origin)
      const signature = sign(kind === 'ec' ? 'sha256' : null, Buffer.concat([data, sha256(client)]), privateKey)
      return {
        credentialId: text(id),
        clientData: text(client),
        authenticatorData: text(data),
        signature: text(signature),
      }
    },
  }
}

let people = 0
/** A signed-in user with a passkey. */
async function withPasskey(kind?: 'ec' | 'ed25519') {
  const email = `key${++people}@example.com`
  const browser = aBrowser(running.url)
  const { link } = await browser.call(contract.signUp, { body: { email } })
  const token = link?.split('#')[1] ?? ''
  await browser.call(contract.takeLink, { body: { token, name: 'Kay', password: PASSWORD, merchantName: 'Keys' } })
  const authenticator = anAuthenticator(kind)
  const { challenge } = await browser.call(contract.beginPasskey, {})
  const body = { name: 'This machine', ...authenticator.make(challenge) }
  const { backupCodes } = await browser.call(contract.addPasskey, { body })
  assert.equal(backupCodes?.length, 10)
  return { email, browser, authenticator }
}

const challengeFor = async (browser: TestBrowser): Promise<string> =>
  (await browser.call(contract.askPasskey, {})).challenge

for (const kind of ['ec', 'ed25519'] as const)
  test(`a passkey (${kind}) signs in alone, and counts as the second factor`, async () => {
    const { authenticator, email } = await withPasskey(kind)
    const browser = aBrowser(running.url)
    const body = authenticator.sign(await challengeFor(browser))
    assert.deepEqual(await browser.call(contract.signInWithPasskey, { body }), { stage: 'in' })
    const me = await browser.call(contract.whoAmI, {})
    assert.deepEqual([me.email, me.isFresh], [email, true])
    await browser.rejected(401, contract.signInWithPasskey, { body })
  })

test('a passkey’s signature is accepted once, from one of our pages, with the user verified, and not from a copy', async () => {
  const { authenticator } = await withPasskey()
  const browser = aBrowser(running.url)
  const rejected = async (body: object): Promise<string> =>
    (await browser.rejected(401, contract.signInWithPasskey, { body })).code
  const signed = async (options: object) => authenticator.sign(await challengeFor(browser), options)
  assert.equal(await rejected(await signed({ origin: 'https://evil.example' })), 'WRONG_SIGN_IN')
  assert.equal(await rejected(await signed({ flags: 0x01 })), 'WRONG_SIGN_IN', 'the user was not verified')
  assert.equal(await rejected(authenticator.sign('a challenge of their own')), 'WRONG_SIGN_IN')
  assert.equal(await rejected(anAuthenticator().sign(await challengeFor(browser))), 'WRONG_SIGN_IN', 'an unknown one')
  const forged = { ...(await signed({})), signature: anAuthenticator().sign('x').signature }
  assert.equal(await rejected(forged), 'WRONG_SIGN_IN')
  const late = await challengeFor(browser)
  wall.pass(301)
  assert.equal(await rejected(authenticator.sign(late)), 'WRONG_SIGN_IN')
  await browser.call(contract.signInWithPasskey, { body: await signed({}) })
  assert.equal(await rejected(await signed({ copied: true })), 'WRONG_SIGN_IN', 'its count did not increase')
})

test('after the password only the user’s own passkey completes sign-in', async () => {
  const { email, authenticator } = await withPasskey()
  const other = await withPasskey()
  const browser = aBrowser(running.url)
  await browser.call(contract.signInWithPassword, { body: { email, password: PASSWORD } })
  const foreign = other.authenticator.sign(await challengeFor(browser))
  assert.equal((await browser.rejected(422, contract.showPasskey, { body: foreign })).code, 'WRONG_SECOND_FACTOR')
  const own = authenticator.sign(await challengeFor(browser))
  assert.deepEqual(await browser.call(contract.showPasskey, { body: own }), { stage: 'in' })
})

test('a passkey is created only for its user’s challenge, on one of our pages', async () => {
  const { browser } = await withPasskey()
  const authenticator = anAuthenticator()
  const add = async (challenge: string, origin?: string): Promise<string> => {
    const body = { name: 'Another', ...authenticator.make(challenge, origin) }
    return (await browser.rejected(422, contract.addPasskey, { body })).code
  }
  const { challenge, known } = await browser.call(contract.beginPasskey, {})
  assert.equal(known.length, 1)
  assert.equal(await add(challenge, 'https://evil.example'), 'WRONG_SECOND_FACTOR')
  assert.equal(await add(await challengeFor(browser)), 'WRONG_SECOND_FACTOR', 'the challenge was for no user')
})

test('users who share a browser are each known in it', async () => {
  const { browser } = await withPasskey()
  const { link } = await browser.call(contract.signUp, { body: { email: 'shared@example.com' } })
  const body = { token: link?.split('#')[1] ?? '', name: 'Bo', password: PASSWORD, merchantName: 'Bo’s' }
  await browser.call(contract.takeLink, { body })
  const { devices } = await browser.call(contract.getProfile, {})
  assert.deepEqual(
    devices.map(({ isThis }) => isThis),
    [true],
  )
})
