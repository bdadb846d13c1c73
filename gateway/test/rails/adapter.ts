import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { wallClock } from '../../src/kernel/clock.ts'
import { hidden } from '../../src/kernel/hidden.ts'
import { kobo } from '../../src/kernel/money.ts'
import type { Card, ChargeRequest } from '../../src/rails/card.ts'
import { isSigned } from '../../src/rails/http/index.ts'
import type { Rails } from '../../src/rails/index.ts'

export const RAILS_SECRET = 'a-secret-between-gateway-and-adapter'

/** Every operation of the protocol, carried out by the rails behind it. */
const OPERATIONS: Readonly<Record<string, (rails: Rails, told: never) => Promise<unknown>>> = {
  'biller/catalogue': ({ biller }) => biller.catalogue(),
  'biller/validate-customer': ({ biller }, told) => biller.validateCustomer(told),
  'biller/vend': ({ biller }, told) => biller.vend(inKobo(told)),
  'biller/find-vend': ({ biller }, { reference }) => biller.findVend(reference),
  'card/charge': ({ card }, told: { card: Record<string, string>; amount: number }) =>
    card.charge({ ...(inKobo(told) as ChargeRequest), card: asCard(told.card) }),
  'card/authorize-otp': ({ card }, { reference, otp }: { reference: string; otp: string }) =>
    card.authorizeOtp({ reference, otp: hidden(otp) }),
  'card/find': ({ card }, { reference }) => card.find(reference),
  'card/refund': ({ card }, told) => card.refund(inKobo(told)),
  'card/find-refund': ({ card }, { reference }) => card.findRefund(reference),
  'debit/debit': ({ debit }, told) => debit.debit(inKobo(told)),
  'debit/find': ({ debit }, { reference }) => debit.findDebit(reference),
  'identity/find-account': ({ identity }, told) => identity.findAccount(told),
  'identity/find-bvn': ({ identity }, { bvn }) => identity.findBvn(bvn),
  'identity/find-nin': ({ identity }, { nin }) => identity.findNin(nin),
  'transfer/find': ({ transfer }, { reference }) => transfer.find(reference),
  'transfer/name-enquiry': ({ transfer }, told) => transfer.nameEnquiry(told),
  'transfer/send': ({ transfer }, told) => transfer.send(inKobo(told)),
}
export const OPERATION_NAMES = Object.keys(OPERATIONS)

/** Amounts travel as whole kobo. What else was told is as the rail takes it: the gateway has made it. */
const inKobo = (told: { readonly amount: number }): never => ({ ...told, amount: kobo(BigInt(told.amount)) }) as never

const asCard = ({ number = '', expiryMonth = '', expiryYear = '', cvv, pin }: Record<string, string>): Card => ({
  number: hidden(number),
  expiryMonth,
  expiryYear,
  cvv: cvv == null ? null : hidden(cvv),
  pin: pin == null ? null : hidden(pin),
})

/**
 * How an adapter may misbehave: it answers with another status and text; it does what it was asked for and never answers;
 * or it does not even do it.
 */
export type Misbehaviour = { readonly status: number; readonly text: string } | 'silent' | 'deaf'

export interface RailAdapter {
  readonly url: string
  /** The operations that were asked for, in the order in which they were done with. */
  readonly asked: string[]
  /** Decides, for each operation, whether it fares as it should. */
  misbehaving: (operation: string) => Misbehaviour | undefined
}

/** An operator's adapter: puts rails behind the protocol of docs/rails.md, on a real server. */
export async function railAdapter(t: TestContext, rails: Rails, wall = wallClock): Promise<RailAdapter> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const operation = request.url?.slice(1) ?? ''
    const carryOut = OPERATIONS[operation]
    if (request.method !== 'POST' || carryOut === undefined) return response.writeHead(404).end()
    if (!isSigned(RAILS_SECRET, wall, operation, body, request.headers)) return response.writeHead(401).end()
    const wrong = adapter.misbehaving(operation)
    const answer = wrong === 'deaf' ? undefined : await carryOut(rails, JSON.parse(body) as never)
    adapter.asked.push(operation)
    if (wrong === 'silent' || wrong === 'deaf') return
    const text = JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
    return response.writeHead(wrong?.status ?? 200, { 'content-type': 'application/json' }).end(wrong?.text ?? text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const adapter: RailAdapter = { url: `http://127.0.0.1:${port}`, asked: [], misbehaving: () => undefined }
  return adapter
}
