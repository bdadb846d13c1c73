import assert from 'node:assert/strict'
import { slow } from '../../gateway/test/harness/slow.ts'
import { look, openSite } from './browser.ts'

const { shop, page: newPage } = await openSite()

slow('a developer finds a call, sends its prefilled example, and reads the response', async (t) => {
  const page = await newPage(t, { viewport: { width: 1280, height: 800 } })
  await page.goto(`${shop.url}/docs`)
  await look(page, 'docs')
  await page.getByLabel('Find an endpoint').fill('merchant/transactions/init-transaction')
  assert.equal(await page.locator('.calls li:visible').count(), 1)
  await page.getByRole('link', { name: '/api/v1/merchant/transactions/init-transaction' }).click()
  const call = page.locator('#initTransaction')
  await call.getByText('Try it').click()
  assert.match(await call.getByLabel('API key').inputValue(), /^MK_TEST_/)
  await call.getByRole('button', { name: 'Send' }).click()
  await call
    .getByRole('status')
    .filter({ hasText: /^200\s[\s\S]*"checkoutUrl"/ })
    .waitFor()
  await look(page, 'docs-try')
})

slow('guides and reference are accessible and need no JavaScript', async (t) => {
  const page = await newPage(t)
  for (const path of ['guides/first-payment', 'guides/testing', 'reference/transfers', 'reference/events']) {
    await page.goto(`${shop.url}/docs/${path}`)
    await look(page, `docs-${path.replace('/', '-')}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 }) // a rotated tablet
  await page.locator('.menu').getByRole('link', { name: 'Webhooks' }).waitFor()
  const plain = await newPage(t, { javaScriptEnabled: false })
  await plain.goto(`${shop.url}/docs/reference/refunds`)
  assert.ok(await plain.getByText('POST').first().isVisible())
  assert.equal(await plain.getByText('Try it').first().isVisible(), false)
})
