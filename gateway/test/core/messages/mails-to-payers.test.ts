import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { aShop, type Shop } from '../../harness/gateway.ts'
import { aMandate } from '../../harness/mandate-samples.ts'
import { anInvoice, aPaymentLink } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'

/** The texts that tell a mail's language: of a mandate, an invoice and a link. */
const LANGUAGES: readonly [language: string | undefined, mandate: string, invoice: string, link: string][] = [
  [undefined, 'asks you to authorize a direct debit', 'Transfer exactly', 'Continue to payment: '],
  ['xx', 'asks you to authorize a direct debit', 'Transfer exactly', 'Continue to payment: '],
  ['pcm', 'want make you agree to direct debit', 'exact:', 'Continue to pay: '],
  ['ha', 'na neman ka amince da cirewa kai tsaye', 'daidai:', 'Ci gaba da biya: '],
  ['yo', 'ń béèrè kí o fọwọ́ sí yíyọ owó tààrà', 'gan-an ránṣẹ́:', 'Tẹ̀síwájú láti sanwó: '],
  ['ig', 'na-arịọ gị ka ị kwado iwepụ ego ozugbo', 'Zipụ kpọmkwem', 'Gaa n’ihu kwụọ: '],
]

async function mailTo(shop: Shop, to: string) {
  const inbox = () => shop.call(contract.readInbox, { query: { to } })
  await until('the mail is there', async () => (await inbox()).length > 0)
  const [mail] = await inbox()
  return mail ?? assert.fail('no mail')
}

slow('each mail to a payer is in the requested language, and leads to a page in it; English without one', async () => {
  const shop = await aShop()
  for (const [language, mandateText, invoiceText, linkText] of LANGUAGES) {
    const body = language === undefined ? {} : { language }
    const email = `${randomUUID()}@example.com`
    const query = language === undefined ? '' : `?lang=${language}`

    const mandate = aMandate(shop, { customerEmailAddress: email, autoRenew: true, mandateAmount: 60_000, ...body })
    await shop.call(contract.createMandate, { body: mandate })
    const [{ authorizationLink = '' } = {}] = await shop.call(contract.getMandates, {
      query: { mandateReferences: mandate.mandateReference },
    })
    const first = await mailTo(shop, email)
    assert.ok(first.subject.includes(mandateText), first.subject)
    assert.ok(`${first.text}\n`.includes(`${authorizationLink}${query}\n`), first.text)

    const customerEmail = `${randomUUID()}@example.com`
    const { invoiceReference, checkoutUrl } = await shop.call(contract.createInvoice, {
      body: anInvoice(shop, shop.core.clock.now(), { customerEmail }),
    })
    await shop.call(contract.mailInvoice, { params: { invoiceReference }, body: body })
    const second = await mailTo(shop, customerEmail)
    for (const text of [invoiceText, `${checkoutUrl}${query}\n`, `${checkoutUrl}/invoice.pdf${query}\n`])
      assert.ok(`${second.text}\n`.includes(text), `${text} of ${second.text}`)

    const payer = `${randomUUID()}@example.com`
    const { linkReference, url } = await shop.call(contract.createPaymentLink, { body: aPaymentLink(shop, {}) })
    await shop.call(contract.mailPaymentLink, { params: { linkReference }, body: { email: payer, ...body } })
    const third = await mailTo(shop, payer)
    assert.ok(third.text.includes(`${linkText}${url}${query}\n`), third.text)

    for (const { subject, text } of [first, second, third])
      assert.doesNotMatch(`${subject} ${text}`, /undefined|null|\[object/, 'every text is there')
  }
})

test('a payer keeps the language of a payment link’s page through to the checkout', async () => {
  const shop = await aShop()
  const { url } = await shop.call(contract.createPaymentLink, { body: aPaymentLink(shop, { amount: 5_000 }) })
  const form = new URLSearchParams({ name: 'Ada', email: 'ada@example.com' })
  const response = await fetch(`${url}?lang=yo`, { method: 'POST', body: form, redirect: 'manual' })
  const checkout = await fetch(response.headers.get('location') ?? assert.fail(await response.text()))
  assert.match(await checkout.text(), /<html lang="yo">/)
})
