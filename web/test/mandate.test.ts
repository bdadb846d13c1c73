import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { aMandate } from '../../gateway/test/harness/mandate-samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { LANGUAGE_NAMES } from '../ui/language.ts'
import { DOCUMENT_TEXTS, MESSAGES } from '../ui/messages/all.ts'
import { ELSEWHERE, glance, look, openSite } from './browser.ts'

const { shop, page: newPage } = await openSite()

/** A mandate waiting for its customer. */
async function createMandate(changes: Parameters<typeof aMandate>[1] = {}) {
  const body = aMandate(shop, { mandateDescription: 'Rent of the shop at 12 Allen Avenue', ...changes })
  await shop.call(contract.createMandate, { body })
  return present(body.mandateReference)
}

async function present(mandateReferences: string) {
  const [mandate] = await shop.call(contract.getMandates, { query: { mandateReferences } })
  assert.ok(mandate !== undefined)
  return mandate
}

slow('a customer accepts and later cancels a direct debit on accessible pages', async (t) => {
  const page = await newPage(t)
  const mandate = await createMandate({ debitAmount: 5_000, mandateAmount: 60_000, customerCancellation: true })
  await page.goto(mandate.authorizationLink ?? '')
  await page.getByText('Or authorize by bank transfer').click()
  await look(page, 'mandate-asked')
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.getByRole('heading', { name: 'You authorized this direct debit' }).waitFor()
  assert.equal((await present(mandate.mandateReference)).mandateStatus, 'ACTIVE')
  await look(page, 'mandate-active')
  await page.getByRole('button', { name: 'Cancel this direct debit' }).click()
  await page.getByRole('heading', { name: 'This direct debit is cancelled' }).waitFor()
  await look(page, 'mandate-cancelled')
})

test('without JavaScript the page works and returns to the merchant', async (t) => {
  const merchant = createServer((_, response) => response.end('Thanks'))
  await new Promise<void>((resolve) => merchant.listen(0, '127.0.0.1', resolve))
  t.after(() => merchant.close())
  const origin = `http://127.0.0.1:${(merchant.address() as AddressInfo).port}`
  ELSEWHERE.add(origin)
  const mandate = await createMandate({ redirectUrl: `${origin}/done` })
  const page = await newPage(t, { javaScriptEnabled: false })
  await page.goto(mandate.authorizationLink ?? '')
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.waitForURL(/\/done/)
  assert.equal(new URL(page.url()).searchParams.get('mandateReference'), mandate.mandateReference)
  assert.equal((await present(mandate.mandateReference)).mandateStatus, 'FAILED')
})

slow('the page is in the customer’s language, which can be changed and stays after the decision', async (t) => {
  const page = await newPage(t)
  for (const language of ['pcm', 'ha', 'yo', 'ig'] as const) {
    const { titles, decisions, varying } = DOCUMENT_TEXTS[language].mandate
    const mandate = await createMandate({ autoRenew: true, mandateAmount: 60_000, customerCancellation: true })
    await page.goto(mandate.authorizationLink ?? '')
    await page.getByRole('link', { name: LANGUAGE_NAMES[language] }).click()
    await page.getByRole('heading', { name: titles.PENDING_AUTHORIZATION }).waitFor()
    assert.equal(await page.locator('.badge').textContent(), MESSAGES[language].sandbox)
    await page.locator('dd', { hasText: varying }).waitFor()
    await page.locator('summary').click()
    await glance(page, `mandate-asked-${language}`)
    await page.getByRole('button', { name: decisions.authorize, exact: true }).click()
    await page.getByRole('heading', { name: titles.ACTIVE }).waitFor()
    await page.getByRole('button', { name: decisions.cancel }).click()
    await page.getByRole('heading', { name: titles.CANCELLED }).waitFor()
    await glance(page, `mandate-cancelled-${language}`)
  }
})
