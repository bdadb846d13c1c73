import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { build, type Plugin } from 'esbuild'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { checkoutReferenceOf, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { npmInstall } from '../../sdk/test/npm.ts'
import { ELSEWHERE, openSite, type Page } from './browser.ts'
import { CLOSE_FIELDS, COMPLETE_FIELDS } from './callbacks.ts'

const { shop, page: newPage } = await openSite()

/** Where the wrappers load Monnify's script from. */
const HOSTS = /https:\/\/(sandbox\.)?sdk\.monnify\.com/g
for (const host of ['https://sdk.monnify.com', 'https://sandbox.sdk.monnify.com']) ELSEWHERE.add(host)
/** Monnify's own script, as far as a wrapper can tell. */
const OTHER_SCRIPT = "window.MonnifySDK = { initialize: () => { throw new Error('paid elsewhere') } }"

/** The packages of each wrapper, and a page's code that pays with it when its button is clicked. */
const WRAPPERS = {
  'react-monnify': {
    packages: ['react-monnify@1.0.0', 'react@18.3.1', 'react-dom@18.3.1'],
    code: `
      import { createElement } from 'react'
      import { createRoot } from 'react-dom/client'
      import { MonnifyButton } from 'react-monnify'
      const { onComplete: onSuccess, ...options } = given
      createRoot(root).render(createElement(MonnifyButton, { ...options, onSuccess, text: 'Buy' }))`,
  },
  'react-monnify-ts': {
    packages: ['react-monnify-ts@0.0.4', 'react@18.3.1', 'react-dom@18.3.1'],
    code: `
      import { createElement } from 'react'
      import { createRoot } from 'react-dom/client'
      import { MonnifyPaymentButton } from 'react-monnify-ts'
      const { onComplete, onClose, customerFullName, ...options } = given
      const own = { ...options, customerName: customerFullName, customerPhoneNumber: '08031234567' }
      createRoot(root).render(createElement(MonnifyPaymentButton, { options: own, onComplete, onClose, text: 'Buy' }))`,
  },
  'vue-monnify': {
    packages: ['vue-monnify@1.0.1', 'vue@2.7.16'],
    code: `
      import Vue from 'vue'
      import VueMonnify from 'vue-monnify'
      const { redirectUrl: _, customerFullName: customerName, ...props } = given
      new Vue({ el: root, render: (h) => h(VueMonnify, { props: { ...props, customerName } }, ['Buy']) })`,
  },
  'angular-monnify': {
    packages: [
      'angular-monnify@1.1.0',
      ...['core', 'common', 'compiler', 'platform-browser', 'platform-browser-dynamic'].map(
        (one) => `@angular/${one}@8.2.14`,
      ),
      ...['rxjs@6.6.7', 'zone.js@0.9.1', 'tslib@1.14.1', 'reflect-metadata@0.1.14'],
    ],
    code: `
      import 'reflect-metadata'
      import 'zone.js/dist/zone'
      import { Component, NgModule } from '@angular/core'
      import { BrowserModule } from '@angular/platform-browser'
      import { platformBrowserDynamic } from '@angular/platform-browser-dynamic'
      import { AngularMonnifyModule } from 'angular-monnify'
      const { apiKey, contractCode, onComplete, onClose, ...options } = given
      class Shop {
        options = { ...options, contractCode }
        onComplete = onComplete
        onClose = onClose
      }
      const template = '<angular-Monnify [monnifyOptions]="options" (onComplete)="onComplete($event)" (onClose)="onClose($event)">Buy</angular-Monnify>'
      Component({ selector: '#root', template })(Shop)
      class Main {}
      NgModule({
        imports: [BrowserModule, AngularMonnifyModule.forRoot(apiKey, contractCode, true)],
        declarations: [Shop],
        bootstrap: [Shop],
      })(Main)
      platformBrowserDynamic().bootstrapModule(Main)`,
  },
  'monnify-js': {
    packages: ['monnify-js@1.0.2'],
    code: `
      import Monnify from 'monnify-js'
      const { apiKey, contractCode, ...options } = given
      const monnify = new Monnify(apiKey, contractCode)
      root.innerHTML = '<button>Buy</button>'
      root.onclick = () => monnify.initializePayment(options)`,
  },
  'monnify-ts': {
    packages: ['monnify-ts@1.0.6'],
    code: `
      import Monnify from 'monnify-ts'
      const { apiKey, contractCode, ...options } = given
      const monnify = new Monnify(apiKey, contractCode)
      root.innerHTML = '<button>Buy</button>'
      root.onclick = () => monnify.initializePayment(options)`,
  },
} as const

type Wrapper = keyof typeof WRAPPERS

/** Replaces the address of Monnify's script when a page is built, as the guide says. */
const changedAddress: Plugin = {
  name: 'kobo',
  setup: ({ onLoad }) =>
    onLoad({ filter: /monnify.*js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(HOSTS, shop.url),
      loader: 'js',
    })),
}

/** A merchant's page with a wrapper; returns its URL. */
async function shopWith(t: TestContext, folder: string, wrapper: Wrapper, plugins: readonly Plugin[]): Promise<string> {
  const given = {
    amount: 7_500,
    currency: 'NGN',
    reference: `wrapper-${randomUUID()}`,
    customerFullName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    customerMobileNumber: '08031234567',
    apiKey: shop.credentials.apiKey,
    contractCode: shop.credentials.contractCode,
    paymentDescription: 'Ankara tote bag',
    isTestMode: true,
    metadata: { cart: 3 },
    paymentMethods: ['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'PHONE_NUMBER'],
    redirectUrl: 'https://shop.example/thanks',
  }
  const { outputFiles } = await build({
    stdin: { contents: WRAPPERS[wrapper].code, resolveDir: folder },
    bundle: true,
    write: false,
    mainFields: ['browser', 'module', 'main'],
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [...plugins],
    logLevel: 'error',
  })
  const ours = plugins.length > 0 ? '' : `<script src="${shop.url}/plugin/monnify.js"></script>`
  const text = `<!doctype html><html lang="en"><title>Ada's shop</title><div id="root"></div>${ours}
<script>
  window.calls = []
  const record = (name) => (data) => window.calls.push([name, data])
  const given = { ...${JSON.stringify(given)}, onComplete: record('onComplete'), onClose: record('onClose') }
</script>
<script src="/app.js"></script>`
  const server = createServer(({ url }, response) =>
    url === '/app.js'
      ? response.setHeader('content-type', 'text/javascript').end(outputFiles[0]?.contents)
      : response.setHeader('content-type', 'text/html; charset=utf-8').end(text),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  ELSEWHERE.add(url)
  return url
}

/** Opens the merchant's page and its checkout. A click before the wrapper is ready does nothing, so it is repeated. */
async function openCheckout(t: TestContext, url: string): Promise<Page> {
  const page = await newPage(t)
  await page.route(/sdk\.monnify\.com/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: OTHER_SCRIPT }),
  )
  await page.addInitScript("addEventListener('error', (event) => event.preventDefault())")
  await page.goto(url)
  await until('the checkout is open', async () => {
    await page.evaluate("document.querySelector('button')?.click()")
    return (await page.locator('iframe').count()) > 0
  })
  return page
}

/** The data of a callback, once it was called. */
async function dataOf(page: Page, name: string): Promise<Record<string, unknown>> {
  await page.waitForFunction(`window.calls.some(([name]) => name === '${name}')`)
  return page.evaluate<Record<string, unknown>>(`window.calls.find(([name]) => name === '${name}')[1]`)
}

slow(
  'wrappers for the browser, from npm, pay with the gateway’s script on the page or its address in the build',
  async (t) => {
    for (const [wrapper, { packages }] of Object.entries(WRAPPERS))
      await t.test(wrapper, async (nested) => {
        const folder = ownFolder('wrapper')
        writeFileSync(join(folder, 'package.json'), '{}')
        const problem = await npmInstall(folder, '--legacy-peer-deps', '--ignore-scripts', ...packages)
        if (problem !== undefined) return nested.skip(problem)
        const paying = await openCheckout(nested, await shopWith(nested, folder, wrapper as Wrapper, []))
        const frame = paying.frameLocator('iframe')
        await frame.getByRole('button', { name: 'Bank transfer' }).click()
        await frame.locator('#account-number').waitFor()
        const params = { checkoutReference: checkoutReferenceOf(paying.frames().at(-1)?.url() ?? '') }
        const { account, paymentReference } = await shop.call(contract.getCheckout, { params })
        await pay(shop, account ?? assert.fail('an account'), 7_500)
        const completed = await dataOf(paying, 'onComplete')
        for (const field of COMPLETE_FIELDS) assert.notEqual(completed[field], undefined, field)
        const { paymentStatus, amountPaid, customerName, customerEmail } = completed
        assert.deepEqual(
          [paymentStatus, amountPaid, completed['paymentReference'], customerName, customerEmail],
          ['PAID', 7_500, paymentReference, 'Ada Obi', 'ada@example.com'],
        )
        await frame.getByRole('button', { name: 'Done' }).click()
        const done = await dataOf(paying, 'onClose')
        for (const field of CLOSE_FIELDS) assert.notEqual(done[field], undefined, field)
        assert.deepEqual([done['paymentStatus'], done['authorizedAmount']], ['PAID', 7_500])

        const closing = await openCheckout(nested, await shopWith(nested, folder, wrapper as Wrapper, [changedAddress]))
        await closing.frameLocator('iframe').getByRole('button', { name: 'Close' }).click()
        const closed = await dataOf(closing, 'onClose')
        assert.deepEqual([closed['paymentStatus'], closed['responseCode']], ['USER_CANCELLED', 'USER_CANCELLED'])
      })
  },
)
