import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { requestOf } from '@kobo/contract'
import { aShop, type Shop } from '../../harness/gateway.ts'
import { CLIENT, rogueProvider } from '../../harness/identity-providers.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember, type TestUser } from '../../harness/users.ts'

/** The live updates of a list, until the test ends. */
async function hear(t: TestContext, shop: Shop, { cookie }: TestUser, list: contract.ListName) {
  const { url } = requestOf({ baseUrl: shop.url }, contract.hearHints, { params: { list } })
  const gone = new AbortController()
  t.after(() => gone.abort())
  const response = await fetch(url, { headers: { cookie }, signal: gone.signal })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const received: contract.LiveUpdate[] = []
  let isOver = false
  const read = async (): Promise<void> => {
    const reader = (response.body ?? assert.fail()).pipeThrough(new TextDecoderStream())
    for await (const text of reader)
      for (const [, data = ''] of text.matchAll(/^data: (.*)$/gm)) received.push(JSON.parse(data))
    isOver = true
  }
  read().catch(() => {})
  return { heard: received, isOver: () => isOver }
}

slow('a watched list reports that rows are new or changed, and nothing more', async (t) => {
  const shop = await aShop()
  const finance = await aTeamMember(shop, 'finance')
  const { heard } = await hear(t, shop, finance, 'transactions')
  const account = await anAccount(shop)
  await until('the new one is announced', () => heard.length > 0)
  const before = heard.length
  await pay(shop, account, 5_000)
  await until('the payment is announced', () => heard.length > before)
  for (const hint of heard) assert.deepEqual(hint, { changed: 'transactions' })
})

test('a session watches a few lists at once, each only with permission', async (t) => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner')
  const lists = ['transactions', 'refunds', 'transfers', 'events'] as const
  const streams = []
  for (const list of lists) streams.push(await hear(t, shop, owner, list))
  const [oldest, ...rest] = streams
  await until('the oldest has ended', () => oldest?.isOver() === true)
  assert.deepEqual(oldest?.heard, [{ ended: 'too many' }])
  await pay(shop, await anAccount(shop), 5_000)
  await until('the others are notified', () => rest.every(({ heard }) => heard.some((hint) => 'changed' in hint)))

  const support = await aTeamMember(shop, 'support')
  const rejected = await support.rejected(403, contract.hearHints, { params: { list: 'settlements' } })
  assert.equal(rejected.code, 'ROLE_NOT_ALLOWED')
  await support.rejected(400, contract.hearHints, { params: { list: 'secrets' } })
  const path = contract.hearHints.path.replace(':list', 'transactions')
  assert.equal((await fetch(shop.url + path)).status, 401)
})

test('a stream ends when its session or its user’s role ends', async (t) => {
  const shop = await aShop()
  const [removed, changed, signedOut, stays] = [
    await aTeamMember(shop, 'finance'),
    await aTeamMember(shop, 'finance'),
    await aTeamMember(shop, 'finance'),
    await aTeamMember(shop, 'finance'),
  ]
  const handlers = (user: TestUser) => hear(t, shop, user, 'transactions')
  const streams = [await handlers(removed), await handlers(changed), await handlers(signedOut)]
  const stored = await handlers(stays)
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  await owner.call(contract.removeMember, { params: { id: String(removed.personId) } })
  const viewer = { role: 'viewer', approves: false } as const
  await owner.call(contract.changeRole, { params: { id: String(changed.personId) }, body: viewer })
  await signedOut.call(contract.signOut, {})
  await until('they have ended', () => streams.every(({ isOver }) => isOver()))
  assert.equal(stored.isOver(), false)
})

slow('a stream ends when its team starts to require single sign-on, except an owner’s', async (t) => {
  const shop = await aShop()
  const member = await aTeamMember(shop, 'finance')
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const [stream, ownStream] = [await hear(t, shop, member, 'transactions'), await hear(t, shop, owner, 'transactions')]
  const { issuer } = await rogueProvider(t)
  const body = { ...CLIENT, issuer, domains: ['example.com'], isRequired: true, secondFactor: [] }
  await owner.call(contract.setSignOn, { body })
  assert.equal(
    (await member.rejected(403, contract.hearHints, { params: { list: 'transactions' } })).code,
    'SIGN_ON_REQUIRED',
  )
  await until('it has ended', () => stream.isOver())
  await pay(shop, await anAccount(shop), 5_000)
  await until('the owner’s stream continues', () => ownStream.heard.length > 0)
  assert.equal(ownStream.isOver(), false)
})
