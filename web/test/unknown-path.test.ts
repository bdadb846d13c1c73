import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOCUMENT_TEXTS } from '../ui/messages/all.ts'
import { glance, look, openSite } from './browser.ts'

const site = await openSite()

test('an unknown path shows where to go, on every screen size', async (t) => {
  const page = await site.page(t)
  const response = await page.goto(`${site.shop.url}/chekout/KOBO`)
  assert.equal(response?.status(), 404)
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  await look(page, 'unknown-path')
  await page.getByRole('link', { name: 'Go to the start' }).click()
  await page.waitForURL(`${site.shop.url}/`)
})

test('the page for a wrong link fits the narrowest screen in every language', async (t) => {
  const page = await site.page(t)
  for (const [language, { nothingHere, reasons }] of Object.entries(DOCUMENT_TEXTS)) {
    await page.goto(`${site.shop.url}/chekout/KOBO?lang=${language}`)
    await page.getByRole('heading', { name: nothingHere }).waitFor()
    await glance(page, `unknown-path-${language}`)
    await page.goto(`${site.shop.url}/pay/none?lang=${language}`)
    await page.getByText(reasons.UNKNOWN_PAYMENT_LINK).waitFor()
    await glance(page, `unknown-link-${language}`)
  }
})
