import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { client, type HttpRequest, type HttpResponse, logIn, Refused } from '@kobo/contract/client'

const BASE = 'https://pay.example.com'

/** A fake transport that records requests and returns this response. */
function sender(response: Partial<HttpResponse> & { readonly body?: object } = {}) {
  const sent: HttpRequest[] = []
  const { status = 200, headers = new Headers(), body = {}, text = JSON.stringify(body) } = response
  return {
    sent,
    send: async (request: HttpRequest): Promise<HttpResponse> => {
      sent.push(request)
      return { status, headers, text }
    },
  }
}

test('a request goes to the route’s URL, with parameters and query filled in and the token in its header', async () => {
  const { sent, send } = sender({ body: { responseBody: { content: [] } } })
  const { call } = client({ baseUrl: BASE, token: 'abc', send })
  assert.deepEqual(await call(contract.listInvoices, { query: { page: 2 } }), { content: [] })
  await call(contract.cancelInvoice, { params: { invoiceReference: 'a|b/c' } })
  await call(contract.resendEvents, { body: { since: '2026-03-01' } })
  const authorization = 'Bearer abc'
  assert.deepEqual(sent, [
    { method: 'GET', url: `${BASE}/api/v1/invoice/all?page=2`, headers: { authorization } },
    { method: 'DELETE', url: `${BASE}/api/v1/invoice/a%7Cb%2Fc/cancel`, headers: { authorization } },
    {
      method: 'POST',
      url: `${BASE}/sandbox/events/resend`,
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"since":"2026-03-01"}',
    },
  ])
})

test('keys are exchanged for a token, and sent nowhere else', async () => {
  const { sent, send } = sender({ body: { responseBody: { accessToken: 'abc', expiresIn: 3600 } } })
  const keys = { apiKey: 'MK_TEST_AB12CD34EF', secretKey: 'SECRET' }
  assert.deepEqual(await logIn({ baseUrl: BASE, send }, keys), { accessToken: 'abc', expiresIn: 3600 })
  const basic = `Basic ${Buffer.from('MK_TEST_AB12CD34EF:SECRET').toString('base64')}`
  const { method, path } = contract.login
  assert.deepEqual(sent, [{ method, url: BASE + path, headers: { authorization: basic } }])
})

test('an error is thrown with its status, name, responseCode and message', async () => {
  const { send } = sender({
    status: 422,
    headers: new Headers({ 'kobo-refusal': 'WRONG_OTP' }),
    body: { requestSuccessful: false, responseMessage: 'Wrong OTP, 4 attempts left', responseCode: '99' },
  })
  const refused = await client({ baseUrl: BASE, send })
    .call(contract.listBanks, {})
    .catch((error) => error)
  assert.ok(refused instanceof Refused)
  const { status, code, responseCode, message } = refused
  assert.deepEqual([status, code, responseCode, message], [422, 'WRONG_OTP', '99', 'Wrong OTP, 4 attempts left'])
})

test('a response that is not from the gateway is not an API error', async () => {
  const { send } = sender({ status: 502, text: '<html>Bad gateway</html>' })
  await assert.rejects(client({ baseUrl: BASE, send }).call(contract.listBanks, {}), SyntaxError)
})
