// A NestJS shop in CommonJS with the packed SDK: opens a payment, is paid and receives the webhook.
import 'reflect-metadata'
import process from 'node:process'
import { connect, type TransactionsInitResponse } from '@kobo/sdk'
import { expressEvents } from '@kobo/sdk/events'
import { Controller, Module, Post } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'

const { BASE_URL = '', API_KEY = '', SECRET_KEY = '', CONTRACT_CODE = '' } = process.env
const kobo = connect({ baseUrl: BASE_URL, apiKey: API_KEY, secretKey: SECRET_KEY })

@Controller()
class Shop {
  @Post('buy')
  buy(): Promise<TransactionsInitResponse> {
    return kobo.transactions.init({
      amount: 9_000,
      customerEmail: 'ada@example.com',
      paymentReference: 'order-nest',
      currencyCode: 'NGN',
      contractCode: CONTRACT_CODE,
    })
  }
}

@Module({ controllers: [Shop] })
class App {}

async function sell(): Promise<void> {
  const app = await NestFactory.create(App, { logger: ['error', 'warn'] })
  const paid = new Promise<string>((resolve) => {
    const options = { secretKey: SECRET_KEY, toleranceSeconds: 86_400 } // the test's gateway has its own clock
    app.use(
      '/events',
      expressEvents(options, (event) => {
        if (event.eventType === 'SUCCESSFUL_TRANSACTION') resolve(event.eventData.paymentReference)
      }),
    )
  })
  await app.listen(0, '127.0.0.1')
  const url = await app.getUrl()
  await kobo.sandbox.changeSettings({ webhookUrl: `${url}/events` })
  const bought = (await (await fetch(`${url}/buy`, { method: 'POST' })).json()) as TransactionsInitResponse
  const { transactionReference } = bought
  const { bankCode, accountNumber } = await kobo.bankTransfer.init({ transactionReference })
  await kobo.sandbox.payIntoAccount({ bankCode, accountNumber, amount: 9_000 })
  if ((await paid) === 'order-nest') process.stdout.write('sold with NestJS\n')
  await app.close()
}

sell().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
})
