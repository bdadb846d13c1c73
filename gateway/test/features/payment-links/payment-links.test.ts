import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { updateMerchant } from '../../../src/core/merchants/index.ts'
import { aShop, type Client, gateway, type Shop } from '../../harness/gateway.ts'
import { aCard, aPaymentLink, CARDS, checkoutReferenceOf, pay } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'

type Link = Reply<typeof contract.getPaymentLink>
const ADA = { name: 'Ada Obi', email: 'ada@example.com' }

const made = (client: Client, changes: Parameters<typeof aPaymentLink>[1] = {}): Promise<Link> =>
  client.call(contract.createPaymentLink, { body: aPaymentLink(client, changes) })

const present = (client: Client, { linkReference }: Link): Promise<Link> =>
  client.call(contract.getPaymentLink, { params: { linkReference } })

const opened = (shop: Shop, { url }: Link, query = '') => shop.send('GET', new URL(url).pathname + query)

/** A payer opens a link, enters name and amount, and submits. */
const goOn = (shop: Shop, { url }: Link, form: Record<string, string> = ADA) =>
  shop.send('POST', new URL(url).pathname, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: '' },
    body: new URLSearchParams(form).toString(),
  })

/** The path parameters of the checkout that a form redirected to. */
const paramsOf = (response: Awaited<ReturnType<typeof goOn>>) => {
  assert.equal(response.status, 303, response.text)
  return { checkoutReference: checkoutReferenceOf(response.headers.get('location') ?? '') }
}

const payBy = (shop: Shop, params: { checkoutReference: string }) =>
  shop.call(contract.checkoutCard, { params, body: { card: aCard(CARDS.success) } })

test('a link for an amount can be paid any number of times, each time as a separate transaction', async () => {
  const shop = await aShop()
  const link = await made(shop, { description: 'For the new roof', redirectUrl: 'https://church.example/thanks' })
  assert.match(link.url, /\/pay\/[a-z2-9]{16}$/)
  assert.deepEqual([link.status, link.amount, link.usage, link.transactionReference], ['ACTIVE', 5_000, 'OFTEN', null])
  const page = await opened(shop, link)
  for (const text of ['Demo Shop', 'Church harvest', 'For the new roof', 'Pay ₦5,000.00'])
    assert.ok(page.text.includes(text), text)
  assert.ok((await opened(shop, link, '?lang=ha')).text.includes('Imel ɗinka'))

  const [ada, bola] = await Promise.all([goOn(shop, link), goOn(shop, link, { name: 'Bola', email: 'b@example.com' })])
  assert.notDeepEqual(paramsOf(ada), paramsOf(bola))
  const { checkout } = await payBy(shop, paramsOf(ada))
  assert.deepEqual(
    [checkout.paymentStatus, checkout.amountPaid, checkout.paymentDescription, checkout.payer],
    ['PAID', 5_000, 'Church harvest', 'Ada Obi'],
  )
  assert.match(checkout.returnUrl ?? '', /^https:\/\/church\.example\/thanks\?paymentReference=/)
  const { transactionReference } = checkout
  const record = await shop.call(contract.getTransaction, { params: { transactionReference } })
  assert.deepEqual(
    [record.customer, record.metaData],
    [{ name: 'Ada Obi', email: 'ada@example.com' }, { paymentLink: link.linkReference }],
  )
  assert.equal((await present(shop, link)).status, 'ACTIVE')
})

test('without an amount the payer chooses it; errors are shown at their field, and nothing is opened', async () => {
  const shop = await aShop()
  const link = await made(shop, { amount: null })
  const { checkoutReference } = paramsOf(await goOn(shop, link, { ...ADA, amount: '₦12,345.50' }))
  const { totalPayable } = await shop.call(contract.getCheckout, { params: { checkoutReference } })
  assert.equal(totalPayable, 12_345.5)
  for (const [form, text] of [
    [{ ...ADA, amount: '19.99' }, 'Enter an amount of ₦20.00 or more'],
    [{ ...ADA, amount: 'much' }, 'Enter an amount of ₦20.00 or more'],
    [{ ...ADA, amount: '' }, 'Enter an amount of ₦20.00 or more'],
    [{ ...ADA, amount: '50', name: ' ' }, 'Enter your name.'],
    [{ ...ADA, amount: '50', email: 'nobody' }, 'Enter an email address'],
    [{}, 'Enter your name.'],
  ] as const) {
    const response = await goOn(shop, link, form)
    assert.equal(response.status, 422, JSON.stringify(form))
    assert.ok(response.text.includes(text), text)
  }
  const stored = await goOn(shop, link, { ...ADA, amount: '"><script>', name: '<b>Ada</b>' })
  assert.ok(!stored.text.includes('<b>Ada') && stored.text.includes('&lt;b&gt;Ada'), 'the input is kept, as text')
})

test('each visitor of a single-use link starts their own payment, until one is paid', async () => {
  const shop = await aShop()
  const link = await made(shop, { usage: 'ONCE' })
  const mallory = paramsOf(await goOn(shop, link, { name: 'Mallory First', email: 'mallory@example.com' }))
  const page = await opened(shop, link)
  assert.equal(page.status, 200, 'the next visitor must enter their name')
  assert.ok(!page.text.includes('Mallory'))
  const victim = paramsOf(await goOn(shop, link, { name: 'Victim Okafor', email: 'victim@example.com' }))
  assert.notDeepEqual(victim, mallory)
  const { checkout } = await payBy(shop, victim)
  assert.equal(checkout.payer, 'Victim Okafor')
  const seen = await shop.call(contract.getCheckout, { params: mallory })
  assert.equal(seen.paymentStatus, 'CANCELLED')
  assert.ok(!JSON.stringify(seen).includes('Okafor'), 'an earlier visitor sees nothing about the payer')

  const { transactionReference } = checkout
  const paid = await present(shop, link)
  assert.deepEqual([paid.status, paid.transactionReference], ['PAID', transactionReference])
  const { customer } = await shop.call(contract.getTransaction, { params: { transactionReference } })
  assert.deepEqual(customer, { name: 'Victim Okafor', email: 'victim@example.com' })
  for (const response of [await opened(shop, link), await goOn(shop, link)])
    assert.ok(response.text.includes('This has already been paid.'))
})

test('a single-use link has one open payment at a time, despite parallel visitors', async () => {
  const shop = await aShop()
  const link = await made(shop, { usage: 'ONCE' })
  const responses = await Promise.all([1, 2, 3, 4].map(() => goOn(shop, link)))
  const checkouts = await Promise.all(
    responses.map((response) => shop.call(contract.getCheckout, { params: paramsOf(response) })),
  )
  const statuses = checkouts.map(({ paymentStatus }) => paymentStatus).toSorted()
  assert.deepEqual(statuses, ['CANCELLED', 'CANCELLED', 'CANCELLED', 'PENDING'])
  const open = checkouts.find(({ paymentStatus }) => paymentStatus === 'PENDING')
  assert.equal((await present(shop, link)).transactionReference, open?.transactionReference)
})

test('a single-use link that is paid in part waits for the same payer', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { underpayment: 'ACCEPT' } })
  const link = await made(shop, { usage: 'ONCE' })
  const params = paramsOf(await goOn(shop, link))
  const { transactionReference } = await shop.call(contract.getCheckout, { params })
  const account = await shop.call(contract.initBankTransfer, { body: { transactionReference } })
  await pay(shop, account, 1_000)
  assert.equal((await shop.call(contract.getCheckout, { params })).paymentStatus, 'PARTIALLY_PAID')
  for (const response of [await opened(shop, link), await goOn(shop, link)])
    assert.ok(response.text.includes('is not accepting payments at the moment'), response.text)
  await pay(shop, account, 4_000)
  assert.equal((await present(shop, link)).status, 'PAID')
})

test('a single-use link whose payment expires partly paid is over and takes no second payment in full', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { underpayment: 'ACCEPT' } })
  const link = await made(shop, { usage: 'ONCE' })
  const params = paramsOf(await goOn(shop, link))
  const { transactionReference } = await shop.call(contract.getCheckout, { params })
  await pay(shop, await shop.call(contract.initBankTransfer, { body: { transactionReference } }), 1_000)
  await shop.advance(7 * 86_400)
  const over = await present(shop, link)
  assert.deepEqual([over.status, over.transactionReference], ['EXPIRED', transactionReference])
  for (const response of [await opened(shop, link), await goOn(shop, link)])
    assert.ok(response.text.includes('This link is no longer active.'), response.text)
  const { paymentStatus, amountPaid } = await shop.call(contract.getTransaction, { params: { transactionReference } })
  assert.deepEqual([paymentStatus, amountPaid], ['PARTIALLY_PAID', '1000.00'])
})

test('a link that has ended, or whose merchant is paused, says so and opens nothing', async () => {
  const shop = await aShop()
  const link = await made(shop)
  const { linkReference } = link
  assert.equal((await shop.call(contract.disablePaymentLink, { params: { linkReference } })).status, 'DISABLED')
  assert.equal((await shop.call(contract.disablePaymentLink, { params: { linkReference } })).status, 'DISABLED')
  for (const response of [await opened(shop, link), await goOn(shop, link)])
    assert.ok(response.text.includes('This link is no longer active.'))

  const paused = await made(shop)
  const { core, merchantId } = shop
  await core.directory.change(merchantId, ({ tx }) => updateMerchant(tx, merchantId, { standing: 'SUSPENDED' }))
  assert.ok((await goOn(shop, paused)).text.includes('is not accepting payments at the moment'))
  await core.directory.change(merchantId, ({ tx }) => updateMerchant(tx, merchantId, { standing: 'ACTIVE' }))

  for (const path of ['/pay/aaaaaaaaaaaaaaaa', '/pay/nothing', `/pay/${'x'.repeat(300)}`]) {
    const nowhere = await shop.send('GET', path)
    assert.equal(nowhere.status, 404)
    assert.ok(nowhere.text.includes('Payment link not found'))
  }
})

test('links are listed and mailed, and a merchant sees its own only', async () => {
  const shop = await aShop()
  const [first, second] = [await made(shop), await made(shop, { title: 'Fees', amount: 7_500 })]
  const { content, totalElements } = await shop.call(contract.listPaymentLinks, { query: {} })
  assert.deepEqual(
    [content.map(({ linkReference }) => linkReference), totalElements],
    [[second.linkReference, first.linkReference], 2],
  )
  const params = { linkReference: second.linkReference }
  await shop.call(contract.mailPaymentLink, { params, body: { email: 'parent@example.com' } })
  const inbox = () => shop.call(contract.readInbox, { query: { to: 'parent@example.com' } })
  await until('the mail is there', async () => (await inbox()).length === 1)
  const [mail] = await inbox()
  assert.equal(mail?.subject, 'Demo Shop: Fees')
  for (const text of ['₦7,500.00', second.url]) assert.ok(mail?.text.includes(text), text)

  const other = await shop.anotherMerchant([])
  await other.rejected(404, contract.getPaymentLink, { params })
  await other.rejected(404, contract.disablePaymentLink, { params })
  await other.rejected(404, contract.mailPaymentLink, { params, body: { email: 'a@example.com' } })
  assert.equal((await other.call(contract.listPaymentLinks, { query: {} })).totalElements, 0)
})

test('a link that could not be paid is rejected on creation', async () => {
  const shop = await aShop()
  const rejected = async (status: number, changes: Parameters<typeof aPaymentLink>[1]): Promise<string | undefined> =>
    (await shop.rejected(status, contract.createPaymentLink, { body: aPaymentLink(shop, changes) })).code
  assert.equal(await rejected(400, { amount: 19 }), 'AMOUNT_TOO_SMALL')
  assert.equal(await rejected(400, { expiryDate: '2020-01-01 00:00:00' }), 'LINK_EXPIRY_PAST')
  assert.equal(await rejected(422, { contractCode: '000000000000' }), 'UNKNOWN_CONTRACT')
  assert.equal(await rejected(422, { paymentMethods: ['DIRECT_DEBIT'] }), 'NO_METHOD_FOR_PAYERS')
  const { linkReference } = await made(shop)
  assert.equal(await rejected(422, { linkReference }), 'DUPLICATE_LINK_REFERENCE')
  await shop.call(contract.disablePaymentLink, { params: { linkReference } })
  const mail = { params: { linkReference }, body: { email: 'a@example.com' } }
  assert.equal((await shop.rejected(422, contract.mailPaymentLink, mail)).code, 'PAYMENT_LINK_OVER')
})

test('mails to strangers are few, and lead nowhere but to the payment page', async () => {
  const shop = await aShop()
  const mail = (link: Link, email: string) =>
    shop.send('POST', contract.pathOf(contract.mailPaymentLink.path, { linkReference: link.linkReference }), {
      body: { email },
    })
  for (const [changes, field] of [
    [{ description: 'Verify now at http://evil.example/login' }, 'description'],
    [{ description: 'Verify now at evil.example/login' }, 'description'],
    [{ title: 'Your bank: WWW.EVIL.EXAMPLE' }, 'title'],
    [{ title: 'gtbank-verify.com' }, 'title'],
  ] as const) {
    const link = await made(shop, changes)
    const rejected = await shop.rejected(422, contract.mailPaymentLink, {
      params: { linkReference: link.linkReference },
      body: { email: 'stranger@example.com' },
    })
    assert.equal(rejected.code, 'MAIL_WITH_WEB_ADDRESS')
    assert.ok(rejected.message.startsWith(`${field} contains `), rejected.message)
  }
  const plain = await made(shop, { description: 'St. Mary’s 3.5 km run, no.5, e.g. ask ada@example.com. Thank you!' })
  const recipient = `${plain.linkReference}@example.com`
  for (let nth = 0; nth < 10; nth++) assert.equal((await mail(plain, recipient)).status, 200)
  const again = await mail(plain, recipient.toUpperCase())
  assert.deepEqual([again.status, again.headers.get('kobo-refusal')], [429, 'TOO_MANY_MAILS'])
  assert.match(again.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await mail(plain, `other-${recipient}`)).status, 200)

  const { count } = await shop.db`
    update shared_limit set count = 1000 where name = 'mails of merchant' and caller = ${String(shop.merchantId)}`
  assert.equal(count, 1)
  assert.equal((await mail(plain, `another-${recipient}`)).status, 429)
  const neighbour = await shop.anotherMerchant()
  const theirs = await made(neighbour)
  await neighbour.call(contract.mailPaymentLink, {
    params: { linkReference: theirs.linkReference },
    body: { email: `theirs-${recipient}` },
  })
})
