import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { openMailer } from '../../../src/core/messages/mail.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { openSmtp } from '../../../src/platform/smtp.ts'
import { aShop, type Shop } from '../../harness/gateway.ts'
import { mailServer } from '../../harness/mail-server.ts'

const merchantIdOf = async (shop: Shop): Promise<bigint> => {
  const merchant = await shop.core.directory.byApiKey(shop.credentials.apiKey)
  assert.ok(merchant !== undefined)
  return merchant.id
}

async function mailerOf(shop: Shop, smtpUrl?: string, keepsInbox = true) {
  const smtp = smtpUrl === undefined ? undefined : await openSmtp(smtpUrl, 'Kobo <no-reply@localhost>')
  return { ...openMailer({ core: shop.core, log: openLog('silent'), smtp, keepsInbox }), close: () => smtp?.close() }
}

test('an email reaches the mail server as written, and the inbox keeps it', async (t) => {
  const shop = await aShop()
  const { url, mails } = await mailServer(t)
  const mailer = await mailerOf(shop, url)
  t.after(mailer.close)
  const merchantId = await merchantIdOf(shop)
  const mail = { merchantId, to: 'ada@example.com', subject: 'Your code', text: 'Your code: àbí?' }
  assert.equal(await mailer.send(mail), true)
  assert.equal(mails.length, 1)
  assert.match(mails[0] ?? '', /^To: ada@example\.com\r?$/m)
  assert.match(mails[0] ?? '', /^Subject: Your code\r?$/m)
  const [stored] = await shop.call(contract.readInbox, { query: {} })
  assert.deepEqual([stored?.to, stored?.subject, stored?.text], [mail.to, mail.subject, mail.text])
})

/** The decoded part of a raw email with this content type. */
function partOf(raw: string, type: string): string {
  const [, head = '', body = ''] =
    raw.split(/\r?\n--/).flatMap((part) => {
      const found = /^(?:[^\r\n]*\r?\n)?(content-type: [\s\S]*?)\r?\n\r?\n([\s\S]*)$/i.exec(part)
      return found?.[1]?.toLowerCase().startsWith(`content-type: ${type}`) ? [[...found]] : []
    })[0] ?? []
  if (/quoted-printable/i.test(head)) {
    const bytes = body
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    return Buffer.from(bytes, 'latin1').toString('utf8')
  }
  return /base64/i.test(head) ? Buffer.from(body, 'base64').toString('utf8') : body
}

test('an email has an HTML part in the merchant’s look beside its text: escaped, linked, and without remote pictures', async (t) => {
  const shop = await aShop()
  const { url, mails } = await mailServer(t)
  const mailer = await mailerOf(shop, url)
  t.after(mailer.close)
  const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  const look = { brandColour: '#7a1fa2', logo: `data:image/png;base64,${picture}` }
  await shop.call(contract.changeMerchantSettings, { body: look })
  const merchantId = await merchantIdOf(shop)
  const text =
    'Dear <b>Ada</b> & àbí,\n\nPay ₦500 "now":\nhttps://pay.example/a?b=1&c=2.\n\n<img src="https://evil.example/x.png">'
  const mail = { merchantId, to: 'ada@example.com', subject: 'Invoice <1>', text, language: 'yo' }
  assert.equal(await mailer.send(mail), true)
  const [raw = ''] = mails
  assert.match(raw, /multipart\/alternative/)
  assert.equal(partOf(raw, 'text/plain').trim().replaceAll('\r\n', '\n'), text)
  const page = partOf(raw, 'text/html')
  const { name = '' } = (await shop.core.directory.byId(merchantId)) ?? {}
  assert.ok(page.includes(`>${name}<`) || page.includes(`${name}</td>`), 'it names the merchant')
  assert.ok(page.includes('<html lang="yo">'))
  assert.ok(page.includes('background:#7a1fa2'))
  assert.ok(page.includes('<a href="https://pay.example/a?b=1&amp;c=2"'))
  assert.ok(page.includes('Dear &lt;b&gt;Ada&lt;/b&gt; &amp; àbí,'))
  assert.ok(page.includes('&lt;img src=') && page.includes('Invoice &lt;1&gt;'))
  assert.deepEqual(
    [...page.matchAll(/<img [^>]*src="([^"]*)"/g)].map(([, source]) => source),
    ['cid:logo'],
  )
  assert.match(raw, /^Content-ID: <logo>\r?$/im)
  assert.ok(raw.replaceAll('\r\n', '').includes(picture), 'the logo is in the mail')
})

test('the inbox shows a merchant its own emails, newest first, by recipient, up to a limit', async () => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  const mailer = await mailerOf(shop)
  const merchantId = await merchantIdOf(shop)
  for (const [to, subject] of [
    ['a@example.com', '1'],
    ['b@example.com', '2'],
    ['A@example.com', '3'],
  ] as const)
    await mailer.send({ merchantId, to, subject, text: '' })
  const subjects = async (query: { to?: string; limit?: number }): Promise<string[]> =>
    (await shop.call(contract.readInbox, { query })).map(({ subject }) => subject)
  assert.deepEqual(await subjects({}), ['3', '2', '1'])
  assert.deepEqual(await subjects({ to: 'a@example.com' }), ['3', '1'])
  assert.deepEqual(await subjects({ limit: 1 }), ['3'])
  assert.deepEqual(await other.call(contract.readInbox, { query: {} }), [])
  await shop.rejected(400, contract.readInbox, { query: { limit: 0 } })
})

test('an email that cannot be sent is reported, never thrown', async (t) => {
  const shop = await aShop()
  const merchantId = await merchantIdOf(shop)
  const mail = { merchantId, to: 'ada@example.com', subject: 'x', text: 'x' }
  const deaf = await mailerOf(shop, 'smtp://127.0.0.1:1')
  t.after(deaf.close)
  assert.equal(await deaf.send(mail), false, 'no server listens there')
  assert.equal(await (await mailerOf(shop, undefined, false)).send(mail), false, 'no mail server is configured')
  await shop.call(contract.changeSettings, { body: { mail: 'FAIL' } })
  assert.equal(await (await mailerOf(shop)).send(mail), false, 'the sandbox is set to fail emails')
  assert.deepEqual(await shop.call(contract.readInbox, { query: {} }), [])
})
