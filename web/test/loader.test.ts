import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { build } from 'esbuild'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { npmInstall } from '../../sdk/test/npm.ts'
import { packedFile } from '../../sdk/test/packed.ts'
import { ELSEWHERE, openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()

/** Bundles a page's code with the packed SDK and React, and serves it on its own site. */
async function siteWith(t: TestContext, folder: string, code: string): Promise<string> {
  const { apiKey, contractCode } = shop.credentials
  const checkout = {
    amount: 7_500,
    reference: `loader-${randomUUID()}`,
    customerEmail: 'ada@example.com',
    apiKey,
    contractCode,
  }
  const entry = join(folder, 'page.js')
  writeFileSync(entry, code)
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    define: { BASE_URL: JSON.stringify(shop.url), CHECKOUT: JSON.stringify(checkout) },
    logLevel: 'silent',
  })
  const html = `<!doctype html><html lang="en"><title>Ada's shop</title><div id="root"></div><script>${outputFiles[0]?.text}</script>`
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  ELSEWHERE.add(url)
  return url
}

const heading = (page: Page) =>
  page
    .frameLocator('iframe[title="Kobo checkout"]')
    .getByRole('heading', { name: 'Pay ₦7,500.00 to Demo Shop' })
    .waitFor()

slow('the packed loader and React component open the checkout, and a failed load can be retried', async (t) => {
  const folder = ownFolder('loader')
  writeFileSync(join(folder, 'package.json'), '{}')
  const problem = await npmInstall(folder, await packedFile(), 'react@19', 'react-dom@19')
  if (problem !== undefined) return t.skip(problem)

  await t.test('loadKobo', async (nested) => {
    const page = await newPage(nested)
    const code = `
      import { loadKobo } from '@kobo/sdk/inline'
      const failed = { baseUrl: BASE_URL, path: '/plugin/checkout.js', integrity: 'sha384-' + 'A'.repeat(64) }
      window.ready = loadKobo(failed).then(
        () => 'loaded',
        async (error) => {
          const [one, other] = await Promise.all([loadKobo({ baseUrl: BASE_URL + '/' }), loadKobo({ baseUrl: BASE_URL })])
          one.initialize(CHECKOUT)
          return [error.message, one === other, document.querySelectorAll('script[src]').length]
        },
      )`
    page.removeAllListeners('console') // the browser reports the wrong hash
    await page.goto(await siteWith(nested, folder, code))
    assert.deepEqual(await page.evaluate('window.ready'), [`Cannot load ${shop.url}/plugin/checkout.js`, true, 2])
    await heading(page)
  })

  for (const [name, element] of Object.entries({
    KoboButton: 'createElement(KoboButton, { baseUrl: BASE_URL, checkout: async () => CHECKOUT }, "Buy")',
    useKobo: 'createElement(Own)',
  }))
    await t.test(name, async (nested) => {
      const page = await newPage(nested)
      const code = `
        import { createElement, StrictMode } from 'react'
        import { createRoot } from 'react-dom/client'
        import { KoboButton, useKobo } from '@kobo/sdk/react'
        function Own() {
          const { isReady, open } = useKobo({ baseUrl: BASE_URL })
          return createElement('button', { disabled: !isReady, onClick: () => open(CHECKOUT) }, 'Buy')
        }
        createRoot(document.getElementById('root')).render(createElement(StrictMode, null, ${element}))`
      await page.goto(await siteWith(nested, folder, code))
      await page.getByRole('button', { name: 'Buy' }).click()
      await heading(page)
      assert.equal(await page.locator('script[src]').count(), 1)
    })
})
