import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { parseArgs } from 'node:util'
import * as contract from '@kobo/contract'
import { type Credentials, readCredentials } from '@kobo/gateway/app/demo.ts'
import { serviceSignature } from '@kobo/gateway/core/messages/outbox/index.ts'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { equalSecrets } from '@kobo/gateway/platform/crypto.ts'
import { type Command, type Surroundings, UsageError, withCore } from '../command.ts'

const BODY_BYTES_MAX = 1_000_000

export const listen: Command = {
  usage: '[--merchant CODE] [--forward URL]',
  summary: "Receives a sandbox merchant's events here, checks their signatures and prints them",
  details: `
Makes itself the merchant's webhookUrl until Ctrl-C, then puts the old one back. With --forward it passes each event on
to URL, signature and all, and answers what URL answers.
`,
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { merchant: { type: 'string' }, forward: { type: 'string' } } })
    if (values.forward !== undefined && !URL.canParse(values.forward))
      throw new UsageError('--forward must be an address.')
    const credentials = await withCore(around, ({ core, config, baseUrl }) => {
      if (config.environment !== 'sandbox') throw new UsageError('Events are listened to in the sandbox only.')
      return readCredentials(core, baseUrl, values.merchant)
    })
    if (credentials === undefined) throw new UsageError('There is no such merchant.')
    await receive(around, credentials, values.forward)
    return 0
  },
}

async function receive({ out }: Surroundings, credentials: Credentials, forward: string | undefined): Promise<void> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= BODY_BYTES_MAX) chunks.push(chunk)
    })
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString()
      const signature = String(request.headers['service-signature'] ?? '')
      const genuine = equalSecrets(signature, serviceSignature(credentials.secretKey, body))
      out(`${wallClock.now().toISOString()} ${genuine ? 'signature good' : 'SIGNATURE WRONG'} ${body}\n`)
      const status = forward === undefined ? (genuine ? 200 : 401) : await pass(out, forward, body, signature)
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const ended = new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  try {
    const merchant = await callerOf(credentials)
    const before = await merchant.call(contract.getSettings, {})
    await merchant.call(contract.changeSettings, { body: { webhookUrl } })
    out(
      `Listening for events of ${credentials.apiKey}${forward === undefined ? '' : `, passing them on to ${forward}`}. Ctrl-C ends.\n`,
    )
    await ended
    await (await callerOf(credentials)).call(contract.changeSettings, { body: { webhookUrl: before.webhookUrl } })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function pass(out: Surroundings['out'], forward: string, body: string, signature: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'service-signature': signature }
  const answer = await fetch(forward, { method: 'POST', headers, body, redirect: 'manual' }).catch(() => undefined)
  out(`  passed on: ${answer?.status ?? 'no answer'}\n`)
  return answer?.status ?? 502
}

/** The merchant as a caller, newly logged in: a token is good for an hour only. */
async function callerOf(credentials: Credentials): Promise<contract.Client> {
  const { baseUrl } = credentials
  try {
    const { accessToken: token } = await contract.logIn({ baseUrl }, credentials)
    return contract.client({ baseUrl, token })
  } catch (error) {
    if (error instanceof contract.Refused) throw error
    throw new Error(`The gateway does not answer at ${baseUrl}: start it with npm start.`)
  }
}
