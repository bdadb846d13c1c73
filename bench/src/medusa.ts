// A peer that a team could install instead: Medusa's payment module, behind an HTTP server that does nothing but call it.
// Its arguments: the folder in which it is installed, and the database. One request takes a whole payment: collection,
// session, authorization, capture, with the provider that approves everything.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'

interface Payments {
  readonly createPaymentCollections: (input: object) => Promise<{ readonly id: string }>
  readonly createPaymentSession: (collection: string, input: object) => Promise<{ readonly id: string }>
  readonly authorizePaymentSession: (session: string, context: object) => Promise<{ readonly id: string }>
  readonly capturePayment: (input: object) => Promise<{ readonly captured_at?: unknown }>
}

/** What of its kit is used. */
interface Kit {
  readonly MedusaAppMigrateUp: (options: object) => Promise<void>
  readonly MedusaApp: (options: object) => Promise<{ readonly modules: { readonly payment: Payments } }>
}

const [, , folder = '', databaseUrl = ''] = process.argv
const PROVIDER = 'pp_system_default'
const POOL_CONNECTIONS = 20

const kit = createRequire(join(folder, 'package.json'))('@medusajs/framework/modules-sdk') as Kit
/** What joins modules of several kinds: here is but one, and nothing to join. */
const NO_LINKS = { initialize: async () => ({}), getMigrationPlanner: () => undefined }
/** Anew each time: it changes what it is given. */
const options = (): object => ({
  modulesConfig: { payment: { resolve: '@medusajs/payment' }, '@medusajs/medusa/link-modules': NO_LINKS },
  sharedResourcesConfig: {
    database: {
      clientUrl: databaseUrl,
      driverOptions: { connection: { ssl: false } },
      pool: { max: POOL_CONNECTIONS },
    },
  },
  cwd: folder,
})
await kit.MedusaAppMigrateUp(options())
const { payment: payments } = (await kit.MedusaApp(options())).modules

async function pay(amount: number): Promise<string> {
  const money = { currency_code: 'ngn', amount }
  const collection = await payments.createPaymentCollections(money)
  const session = await payments.createPaymentSession(collection.id, { ...money, provider_id: PROVIDER, data: {} })
  const authorized = await payments.authorizePaymentSession(session.id, {})
  const captured = await payments.capturePayment({ payment_id: authorized.id })
  return JSON.stringify({ payment: authorized.id, isCaptured: captured.captured_at !== null })
}

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () =>
    pay(9_000).then(
      (text) => response.writeHead(200, { 'content-length': Buffer.byteLength(text) }).end(text),
      (error: Error) =>
        response.writeHead(500, { 'content-length': Buffer.byteLength(error.message) }).end(error.message),
    ),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
