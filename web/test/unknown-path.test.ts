import assert from 'node:assert/strict'
import { test } from 'node:test'
import { look, openSite } from './browser.ts'

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
